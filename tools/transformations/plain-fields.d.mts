export function withPlainFields(source: string, path: string): string;
