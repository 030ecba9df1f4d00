export function writeUdpWithoutIpv6(sdk: string, folder?: string): void;
