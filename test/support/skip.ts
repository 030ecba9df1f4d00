/** Skips the test that runs, or in `before` its suite. The report of `npm test` ends with the reasons. */
export function skip(context: Mocha.Context, reason: string): never {
	const skipped = context.runnable() as Mocha.Hook | Mocha.Test;
	Object.assign(skipped.type === "hook" ? (skipped.parent ?? skipped) : skipped, { skipReason: reason });
	console.log(`      skipped: ${reason}`);
	return context.skip();
}
