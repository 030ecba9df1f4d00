/** Tables of the page, asked for a name from outside: the controller's, a file's, the browser's storage's. */

/**
 * @returns undefined if the table has none of that name; what every object has, "constructor" for example, is
 * none
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}
