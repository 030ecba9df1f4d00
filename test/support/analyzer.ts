// The analyser port as handlers see it: nobody is connected, and clients may send.
import { SendPermission } from "../../src/analyzer/permission.js";
import type { AnalyzerContext } from "../../src/api/context.js";

/** @param conditions that fail, in place of those that hold */
export function anAnalyzer(conditions: { isProtected?: boolean; isStock?: boolean; stands?: boolean } = {}): AnalyzerContext {
	const analyzer = {
		port: 0,
		clients: [],
		sentFrames: 0,
		refusedFrames: 0,
		lastRefusal: "",
		permission: new SendPermission({
			...{
				isProtected: true,
				protection: 0,
				isStandalone: false,
				isStock: true,
				stands: true,
				isOurs: () => false,
				send: () => true,
			},
			...conditions,
		}),
		observe(isEnabled: boolean): void {
			analyzer.port = isEnabled ? 23 : 0;
			if (!isEnabled) analyzer.permission.withdraw();
		},
	};
	return analyzer;
}
