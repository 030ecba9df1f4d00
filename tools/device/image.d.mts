export function sha256(bytes: Uint8Array): Buffer;
export function describeImage(image: Buffer, chipId: number): { version: string; projectName: string };
export function stampImage(image: Buffer, identity: { chipId: number; projectName: string; version: string }): Buffer;
export function mergeParts(parts: { offset: number; bytes: Buffer }[]): Buffer;
