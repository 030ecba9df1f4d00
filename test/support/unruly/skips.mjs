// Tests that lack a tool, for `test/tools/test-command.test.ts`.
import { skip } from "../skip.js";

describe("unruly", () => {
	it("passes", () => {});
	it("skips itself", function () {
		skip(this, "no tool for one");
	});
	describe("in a suite that is skipped", () => {
		before(function () {
			skip(this, "no tool for all");
		});
		it("does not run", () => {});
		describe("whose suites are, too", () => it("does not run either", () => {}));
	});
	it.skip("gives no reason", () => {});
});
