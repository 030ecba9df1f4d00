/** Puts values where they are used. */
import { minify } from "terser";

/**
 * terser's compression with names as long as in the sources: it puts a number or a text in place of a name
 * that is no shorter. Each variable takes 16 bytes of flash, each function that reads one 16 more. Functions
 * stay where they are: moved into another one, they would be made anew at each call, on the heap. What would
 * make more bytecode of fewer characters is off.
 * @param {string} code JavaScript module @returns {Promise<string>}
 */
export async function withValues(code) {
	const { code: smaller } = await minify(code, {
		module: true,
		compress: {
			passes: 3,
			unsafe_arrows: true,
			reduce_funcs: false,
			booleans: false,
			conditionals: false,
			if_return: false,
			join_vars: false,
			sequences: false,
		},
		mangle: false,
		format: { beautify: true },
	});
	return smaller ?? "";
}
