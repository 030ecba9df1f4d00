/** The owner's key: what a change needs where the owner has set a password. The password itself is never kept. */

import { recall, remember } from "../state/cache";
import { Store } from "../state/store";

const KEY = "ownerKey";

let asked: Promise<boolean> | undefined;
/** Set while the password is asked for: to be told whether there is a key now. */
export const asking = new Store<((hasKey: boolean) => void) | undefined>(undefined);

/** Whether this browser keeps a key; the controller may know another one by now. */
export function hasKey(): boolean {
	return recall<string>(KEY) !== undefined;
}

/** @param key undefined forgets it */
export function keepKey(key: string | undefined): void {
	remember(KEY, key);
}

/** Header lines for a request. */
export function withKey(headers: Readonly<Record<string, string>>): Record<string, string> {
	const key = recall<string>(KEY);
	return key === undefined ? { ...headers } : { ...headers, Authorization: `Bearer ${key}` };
}

/** Has the driver asked for the password, once for all that want it now. @returns false if he does not say it */
export function askForKey(): Promise<boolean> {
	asked ??= new Promise<boolean>((resolve) => asking.set(resolve)).finally(() => {
		asked = undefined;
		asking.set(undefined);
	});
	return asked;
}
