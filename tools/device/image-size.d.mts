export const ERROR_BYTES: number;
export function estimateImage(name: string, javascriptBytes: number): { bytes: number; slotBytes: number } | undefined;
