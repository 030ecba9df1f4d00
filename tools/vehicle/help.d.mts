/** What `npm start -- --help` prints. */
export const HELP: string;
