// Compiles for ts-node, in a tenth of the time that TypeScript needs: the types are gone either way.
const { transformSync } = require("esbuild");

/** @param {{ service: { config: { options: object } } }} options */
exports.create = () => ({
	transpile: (input, { fileName }) => {
		const { code, map } = transformSync(input, {
			loader: fileName.endsWith("x") ? "tsx" : "ts",
			sourcefile: fileName,
			sourcemap: "external",
			format: "esm",
			target: "es2022",
			jsx: "automatic",
			jsxImportSource: "preact",
			tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
		});
		return { outputText: code, sourceMapText: map };
	},
});
