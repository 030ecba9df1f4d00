// A test that fails at first, for the test of what `npm test` says of it. No file of this name is run by itself.
let runs = 0;

describe("once flaky", function () {
	this.retries(1);
	it("passes the second time", () => {
		if (++runs < 2) throw new Error("the first time");
	});
});
