/** Runs `work` while no other process runs under the same lock. `onWait` is told once, if it has to wait, for which process. */
export function locked(path: string, work: () => Promise<void>, onWait: (pid: number) => void): Promise<void>;
