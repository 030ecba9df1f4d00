/** Gives the driver a text as a file. */

/** @param name of the file, with its ending */
export function downloadText(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text]));
	link.download = name;
	link.click();
	// the browser has begun to read it by then
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
