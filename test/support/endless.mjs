/** A test that ends only when it is interrupted, for `test/tools/test-command.test.ts`. */
describe("endless", function () {
	this.timeout(0);

	it("goes on", () => new Promise(() => setInterval(() => {}, 1000)));
});
