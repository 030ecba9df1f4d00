/** The application's library for `main.js`: on the host it is a bundle of its own in the root machine, which exports by this global. */
declare const opencoupling: { start(): void };

export const start = (): void => opencoupling.start();
