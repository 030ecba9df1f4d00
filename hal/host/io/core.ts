/**
 * The application's library for `main.js`: on the host it is a bundle of its own in the root machine, which
 * exports by this global.
 */

declare const opencoupling: { start(): void };

/**
 * Starts the application, once; its objects are alive from then on. Returns as soon as the event loop has to
 * go on.
 */
export const start = (): void => opencoupling.start();
