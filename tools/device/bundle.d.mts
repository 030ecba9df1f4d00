export const SDK_MODULES: readonly string[];
export function bundleForBoards(folder: string, options?: { readable?: boolean }): Promise<void>;
