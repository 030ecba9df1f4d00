import assert from "node:assert/strict";
import { createHash, pbkdf2Sync } from "node:crypto";
import { isOwnerPassword, NO_OWNER, OWNER_DOCUMENT, PAUSE_MS, ROUNDS, ROUNDS_PER_TURN } from "../../src/owner/owner.js";
import { atOnce, type Steps } from "../../src/storage/write-queue.js";
import { OwnerBench } from "../support/owner-bench.js";

const PASSWORD = "correct horse";
const wanted = (): boolean => true;
const accepts = (bench: OwnerBench, text: string) => bench.owner.accepts(text);

function withPassword(): { bench: OwnerBench; key: string } {
	const bench = new OwnerBench();
	const key = bench.set(PASSWORD);
	assert.ok(key !== undefined);
	return { bench, key };
}

describe("owner", () => {
	it("accepts no key without a password", () => {
		const bench = new OwnerBench();
		assert.equal(bench.owner.passwordSet, false);
		for (const text of ["", "0".repeat(32), createHash("sha256").update("").digest("hex").slice(0, 32)])
			assert.equal(accepts(bench, text), false, text);
	});

	it("makes the key from password and salt by PBKDF2, and stores neither key nor password", () => {
		const { bench, key } = withPassword();
		const { salt, rounds, proof } = bench.stored[0];
		assert.equal(rounds, ROUNDS);
		assert.equal(key, pbkdf2Sync(PASSWORD, salt, ROUNDS, 16, "sha256").toString("hex"));
		assert.equal(proof, createHash("sha256").update(key).digest("hex"));
		assert.ok(!JSON.stringify(bench.stored).includes(key) && !JSON.stringify(bench.stored).includes(PASSWORD));
		assert.ok(bench.mostRounds <= ROUNDS_PER_TURN);
	});

	it("accepts the exact key only", () => {
		const { bench, key } = withPassword();
		assert.equal(accepts(bench, key), true);
		const other = key[31] === "0" ? "1" : "0";
		for (const wrong of [
			"",
			key.slice(1),
			`${key}0`,
			key.slice(0, 31) + other,
			other + key.slice(1),
			key.toUpperCase(),
			PASSWORD,
		])
			assert.equal(accepts(bench, wrong), wrong === key, wrong);
		assert.equal(accepts(bench, bench.stored[0].proof.slice(0, 32)), false);
	});

	it("gives the same key again, after a restart too", () => {
		const { bench, key } = withPassword();
		assert.equal(bench.signIn(PASSWORD), key);
		assert.equal(bench.signIn("correct hors"), undefined);
		const restarted = new OwnerBench(OWNER_DOCUMENT.read({ ...OWNER_DOCUMENT.write(bench.stored[0]) }));
		assert.equal(accepts(restarted, key), true);
		assert.equal(restarted.signIn(PASSWORD), key);
	});

	it("makes old keys invalid when a password is set or removed", () => {
		const { bench, key } = withPassword();
		const next = bench.set(PASSWORD) as string;
		assert.notEqual(next, key);
		assert.deepEqual([accepts(bench, key), accepts(bench, next)], [false, true]);
		assert.equal(bench.remove(), true);
		assert.deepEqual([bench.owner.passwordSet, accepts(bench, next), bench.stored.at(-1)], [false, false, NO_OWNER]);
	});

	it("changes nothing if it can't be stored, but a held BOOT key forgets until the next start", () => {
		const { bench, key } = withPassword();
		bench.full = true;
		assert.equal(bench.set("another password"), undefined);
		assert.equal(bench.remove(), false);
		assert.equal(accepts(bench, key), true);
		bench.owner.reset();
		assert.equal(bench.owner.passwordSet, false);
		assert.match(bench.told.at(-1) as string, /^WARN .* back at the next start/);
		bench.owner.reset();
		assert.equal(bench.told.length, 2);
	});

	it("checks one password at a time, in order, and pauses after a wrong one", () => {
		const { bench, key } = withPassword();
		bench.hashed = [];
		const answers: string[] = [];
		const ask = (password: string) =>
			bench.owner.signIn(password, wanted, (found) => answers.push(`${password} ${found === key} at ${bench.nowMs}`));
		for (let i = 0; i < 7; i++) ask(`stranger ${i}`);
		ask(PASSWORD);
		bench.pass(0);
		assert.deepEqual(bench.hashed, ["stranger 0"]);
		ask("stranger 7");
		bench.pass(PAUSE_MS - 1);
		assert.deepEqual([answers.length, accepts(bench, key)], [1, true], "keys are accepted meanwhile");
		bench.pass(20_000);
		assert.deepEqual(
			answers,
			[
				...Array.from({ length: 7 }, (_, i) => `stranger ${i} false at ${i * PAUSE_MS}`),
				`${PASSWORD} true at ${7 * PAUSE_MS}`,
			].concat(`stranger 7 false at ${7 * PAUSE_MS}`),
		);
	});

	it("drops passwords of clients that have left", () => {
		const { bench, key } = withPassword();
		bench.hashed = [];
		let told = 0;
		const gone = (): boolean => false;
		for (let i = 0; i < 100; i++) bench.owner.signIn(`gone ${i}`, gone, () => told++);
		assert.equal(bench.signIn(PASSWORD), key);
		assert.deepEqual([bench.hashed, told, bench.nowMs], [[PASSWORD], 0, 1500]);
	});

	it("gives no old key once another password is set", () => {
		const { bench } = withPassword();
		const found: (string | undefined)[] = [];
		bench.owner.setPassword("another password", wanted, () => {});
		bench.owner.signIn(PASSWORD, wanted, (key) => found.push(key));
		bench.pass(0);
		assert.deepEqual(found, [undefined]);
	});

	it("rejects a change requested before another password was set", () => {
		const { bench, key } = withPassword();
		const keys: (string | undefined)[] = [];
		for (const password of ["another password", "a stranger's password"])
			bench.owner.setPassword(password, wanted, (found) => keys.push(found));
		bench.pass(0);
		assert.deepEqual([keys.length, keys[1]], [2, undefined]);
		assert.deepEqual([accepts(bench, key), accepts(bench, keys[0] as string)], [false, true]);
	});

	it("removes no password that was set after the request, unless BOOT is held", () => {
		const waiting: Steps[] = [];
		const bench = new OwnerBench(NO_OWNER, waiting);
		const next = (): void => atOnce(waiting.shift() as Steps);
		bench.owner.setPassword(PASSWORD, wanted, () => {});
		let isStored: boolean | undefined;
		bench.pass(0);
		bench.owner.removePassword((stored) => {
			isStored = stored;
		});
		next();
		next();
		assert.deepEqual([isStored, bench.owner.passwordSet], [false, true]);
		bench.owner.reset();
		next();
		assert.deepEqual([bench.owner.passwordSet, bench.stored.at(-1)], [false, NO_OWNER]);
	});

	it("accepts passwords of 8 to 64 bytes", () => {
		for (const text of ["12345678", "x".repeat(64), "ßßßß", "pass word"]) assert.equal(isOwnerPassword(text), true, text);
		for (const text of ["", "1234567", "x".repeat(65), "ß".repeat(33), "1234567\n", "1234567\x7f"])
			assert.equal(isOwnerPassword(text), false, text);
	});

	it("reads its own file, and rejects an invalid one", () => {
		const record = { salt: "0a".repeat(16), rounds: ROUNDS, proof: "1b".repeat(32) };
		assert.deepEqual(OWNER_DOCUMENT.read({ format: 1, ...record }), record);
		assert.deepEqual(OWNER_DOCUMENT.read({ format: 1, ...NO_OWNER }), NO_OWNER);
		for (const wrong of [
			...[{ salt: "0A".repeat(16) }, { salt: undefined }, { salt: "0a" }, { proof: "" }, { proof: "x".repeat(64) }],
			...[{ rounds: 0 }, { rounds: 1.5 }, { rounds: 1e9 }, { rounds: "10000" }],
		])
			assert.throws(() => OWNER_DOCUMENT.read({ ...record, ...wrong }), /is not allowed; allowed: /, JSON.stringify(wrong));
	});
});
