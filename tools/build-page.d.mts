/** Builds the page; see build-page.mjs. `bytes` are as transferred, `firstView` is what the first page takes. */
export function buildPage(): Promise<{ files: { path: string; bytes: number; firstView: boolean }[]; built: boolean }>;
