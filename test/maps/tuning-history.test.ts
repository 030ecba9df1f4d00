import assert from "node:assert/strict";
import { DEFAULT_MAP, type LockMap, UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { STATES_MAX, TuningHistory } from "../../src/maps/tuning-history.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { UNNAMED_MAP } from "../../src/settings/settings-table.js";
import { WRITE_INTERVAL_MS } from "../../src/storage/stored-document.js";
import { atOnce, type Steps } from "../../src/storage/write-queue.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

const FILE = "history.json";
const map = (lock: number): LockMap => ({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => lock) });
const curve = (lock: number) => ({ x: [0, 50], lockPercent: [lock, 100] });
const withMap = (lock: number, currentMap = UNNAMED_MAP): Settings => ({
	...DEFAULT_SETTINGS,
	currentMap,
	mapFrom: currentMap === UNNAMED_MAP ? "" : currentMap,
	tuning: { ...DEFAULT_SETTINGS.tuning, map: map(lock) },
});

/** A history on files; `put` is a change that the controller has taken. */
class Kept {
	readonly time = new ManualTime();
	readonly reports: string[] = [];
	readonly history: TuningHistory;

	constructor(
		readonly files = new MemoryFiles({}),
		settings = withMap(0),
	) {
		const report = (_path: string, problem: string) => void this.reports.push(problem);
		this.history = new TuningHistory({ files, writes: this.time.writes, clock: this.time, report });
		this.history.load(settings);
	}

	put(...all: readonly Settings[]): this {
		for (const settings of all) this.history.observe(settings);
		return this;
	}

	/** Locks of the earlier maps, the newest first. */
	get maps(): (number | undefined)[] {
		return Array.from({ length: this.history.count("map") }, (_, i) => this.history.map(i + 1)?.map.cells[0]);
	}

	settle(): this {
		this.time.pass(3 * WRITE_INTERVAL_MS);
		return this;
	}
}

describe("maps/tuning-history", () => {
	it("returns earlier maps, the newest first, and nothing beyond the oldest", () => {
		const kept = new Kept().put(withMap(1), withMap(2), withMap(3));
		assert.deepEqual(kept.maps, [2, 1, 0]);
		assert.deepEqual(kept.history.map(1), { map: map(2), from: "", changed: true });
		assert.deepEqual([kept.history.map(4), kept.history.map(0), kept.history.count("rpmCurve")], [undefined, undefined, 0]);
	});

	it("keeps each state once and not the active one, so two maps can be swapped any number of times", () => {
		const kept = new Kept().put(withMap(1), withMap(2), withMap(1), withMap(2), withMap(1));
		assert.deepEqual(kept.maps, [2, 0]);
		const { map } = withMap(1).tuning;
		kept.put({ ...withMap(1), tuning: { ...withMap(1).tuning, map: { ...map, cells: [...map.cells] } } });
		assert.deepEqual(kept.maps, [2, 0], "the same content is no change");
	});

	it("is bounded: ten states of map and curves together", () => {
		const kept = new Kept();
		for (let lock = 1; lock <= 15; lock++) kept.put(withMap(lock));
		assert.equal(kept.history.count("map"), STATES_MAX);
		const { tuning } = withMap(15);
		kept.put({ ...withMap(15), tuning: { ...tuning, map: tuning.map, rpmCurve: curve(7) } });
		assert.deepEqual([kept.history.count("map"), kept.history.count("rpmCurve")], [STATES_MAX - 1, 1]);
		assert.deepEqual(kept.history.curve("rpmCurve", 1), DEFAULT_SETTINGS.tuning.rpmCurve);
	});

	it("names the stored map that a state was made from, and tells whether it was changed", () => {
		const winter = withMap(1, "/maps/Winter.json");
		const kept = new Kept().put(winter, { ...winter, currentMap: UNNAMED_MAP }, withMap(2));
		assert.deepEqual(kept.history.otherMap, { map: map(1), from: "/maps/Winter.json", changed: false });
		const two = withMap(2, "/maps/Two.json");
		kept.put(two, { ...two, currentMap: UNNAMED_MAP }, { ...withMap(3), mapFrom: two.mapFrom }, withMap(4));
		const other = { map: map(3), from: "/maps/Two.json", changed: true };
		assert.deepEqual(kept.history.otherMap, other);
		kept.settle();
		assert.deepEqual(new Kept(kept.files, withMap(4)).history.otherMap, other);
		assert.deepEqual(kept.put(withMap(5)).history.otherMap, { map: map(4), from: "", changed: true });
	});

	it("stores a map before another replaces it, and does not swap the active map with it", () => {
		const kept = new Kept().put(withMap(1));
		const replace = (lock: number) => atOnce(kept.history.keepReplaced(map(lock)));
		replace(50);
		assert.deepEqual([kept.maps, kept.history.otherMap?.map], [[50, 0], map(0)]);
		assert.deepEqual(new Kept(kept.files, withMap(1)).maps, [50, 0]);
		for (const lock of [0, 1, 50]) replace(lock);
		assert.deepEqual(kept.maps, [50, 0], "not the active map, nothing twice");
		kept.put(withMap(50), withMap(51));
		assert.deepEqual([kept.maps, kept.history.otherMap?.map], [[50, 1, 0], map(50)], "now it was active");
		const alone = new Kept();
		atOnce(alone.history.keepReplaced(map(5)));
		assert.deepEqual([alone.maps, alone.history.otherMap], [[5], undefined]);
	});

	it("forgets a stored map that was not replaced after all, also on flash", () => {
		function* failing(): Steps {
			yield;
			throw new Error("write failed");
		}
		for (const keeps of [false, true]) {
			const kept = new Kept();
			for (let lock = 1; lock <= 15; lock++) kept.put(withMap(lock));
			kept.settle();
			const { files, maps } = kept;
			files.onWrite = () => {
				if (!keeps) throw new Error("write failed");
			};
			assert.throws(() => atOnce(kept.history.keepReplaced(map(50), failing())), /write failed/);
			assert.deepEqual([kept.maps, new Kept(files, withMap(15)).maps], [maps, maps]);
		}
	});

	it("survives a restart, and then drops the active state", () => {
		const files = new MemoryFiles({});
		const steep = (lock: number) => ({ ...withMap(lock), tuning: { ...withMap(lock).tuning, speedCurve: curve(3) } });
		new Kept(files).put(withMap(1), withMap(2), steep(2)).settle();
		const again = new Kept(files, steep(1));
		assert.deepEqual(again.maps, [0]);
		assert.deepEqual(again.history.curve("speedCurve", 1), DEFAULT_SETTINGS.tuning.speedCurve);
		assert.deepEqual(again.reports, []);
	});

	it("is set aside as a whole and reported if one state is invalid", () => {
		const good = `["map","/maps/A.json","${[..."012345678"]} 0,1,2,3,4,5,6 ${DEFAULT_MAP.cells}"]`;
		assert.deepEqual(new Kept(new MemoryFiles({ [FILE]: `{"format":1,"states":[${good}]}` })).maps, [DEFAULT_MAP.cells[0]]);
		for (const states of [
			`[${good},["map","","0,1 0,1 5"]]`,
			`[["map","",""]]`,
			`[["map",1,"2"]]`,
			`[["gate","","1"]]`,
			`[["rpmCurve","","5,4 0,0"]]`,
			`[["rpmCurve",""," "]]`,
			`[["rpmCurve","","0,1 0"]]`,
			`[["map","","${" ".repeat(1000)}"]]`,
			`[["rpmCurve","","${"1,".repeat(500)}"]]`,
			"[7]",
			"{}",
			`[${Array(STATES_MAX + 1).fill(good)}]`,
		]) {
			const kept = new Kept(new MemoryFiles({ [FILE]: `{"format":1,"states":${states}}` }));
			assert.equal(kept.history.count("map"), 0, states);
			assert.match(kept.reports[0] ?? "", /^history\.json can't be used/, states);
			assert.ok(kept.files.text(`${FILE}.bad`) !== undefined, states);
		}
	});

	it("does not keep the placeholder of a map that could not be read", () => {
		const unreadable = { ...withMap(0), tuning: { ...withMap(0).tuning, map: UNREADABLE_MAP } };
		assert.deepEqual(new Kept(new MemoryFiles({}), unreadable).put(withMap(1), withMap(2)).maps, [1]);
	});
});
