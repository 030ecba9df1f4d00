import assert from "node:assert/strict";
import { DEFAULT_MAP, type LockMap, type StoredMap, UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { lockMapFrom, lockMapToJson } from "../../src/maps/lock-map.js";
import { MapStore, type MapsUser, STORED_MAPS_MAX } from "../../src/maps/map-store.js";
import { presetAt } from "../../src/maps/presets.js";
import { type ConditionSettings, DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { UNNAMED_MAP } from "../../src/settings/settings-table.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { StorageProblems, StoredDocument, WRITE_INTERVAL_MS, WRITE_RETRY_MS } from "../../src/storage/stored-document.js";
import { deleteLeftovers } from "../../src/storage/whole-file.js";
import type { Steps } from "../../src/storage/write-queue.js";
import { condition } from "../support/controller-view.js";
import { ManualTime, MemoryFiles, PowerCut } from "../support/memory-files.js";

const map = (lock: number): LockMap => ({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => lock) });
const text = (lock: number): string => JSON.stringify(lockMapToJson(map(lock)));
const lockIn = (json: string | undefined): number => lockMapFrom(JSON.parse(json ?? "")).cells[0];

/** The parts of the controller around a store, booted on files. */
class Car implements MapsUser {
	readonly time = new ManualTime();
	readonly reports: string[] = [];
	/** Locks of the stored maps that another one was about to replace. */
	readonly replaced: number[] = [];
	keepsNothing = false;
	readonly store: MapStore;
	readonly #stored: StoredDocument<Settings>;
	readonly #problems = new StorageProblems();
	#selected: readonly StoredMap[] = [];
	settings: Settings;

	constructor(readonly files: MemoryFiles) {
		const context = {
			files,
			writes: this.time.writes,
			clock: this.time,
			report: (path: string, problem: string) => {
				this.reports.push(problem);
				this.#problems.note(path, problem);
			},
		};
		deleteLeftovers(files, "");
		this.#stored = new StoredDocument(SETTINGS_DOCUMENT, context);
		this.store = new MapStore(context, this.#stored, (map, replacing) => this.#keepReplaced(map, replacing));
		this.settings = this.store.load(this.#stored.load());
		this.store.serve(this);
	}

	/** Locks of the maps that conditions select, by path. */
	selected(): Readonly<Record<string, number | string>> {
		return Object.fromEntries(
			this.#selected.map(({ path, map: { cells }, map: one }) => [path, one === UNREADABLE_MAP ? "unreadable" : cells[0]]),
		);
	}

	useStoredMaps(maps: readonly StoredMap[]): void {
		this.#selected = maps;
	}

	applySettings(settings: Settings): void {
		this.settings = settings;
		this.#stored.save(settings);
		this.store.keep(settings);
	}

	edit(lock: number): void {
		this.applySettings({ ...this.settings, tuning: { ...this.settings.tuning, map: map(lock) } });
	}

	*#keepReplaced(map: LockMap, replacing?: Steps): Steps {
		yield;
		if (this.keepsNothing) throw new Error("no space");
		if (replacing !== undefined) yield* replacing;
		this.replaced.push(map.cells[0]);
	}

	/** Files with a problem. */
	problemsOf = (): string[] => this.#problems.entries.map(({ path }) => path);

	get lock(): number {
		return this.settings.tuning.map.cells[0];
	}

	/** Runs an operation to its end. @returns the path, or the reason as an error */
	run(operation: (done: (path: string | undefined, reason: string) => void) => void): string | Error {
		let result: string | Error | undefined;
		operation((path, reason) => {
			result = path ?? new Error(reason);
		});
		this.time.pass(50);
		assert.ok(result !== undefined, "it was answered");
		return result;
	}

	load = (wanted: string) => this.run((done) => this.store.activate(wanted, done));
	try = (lock: number, from = "") => this.run((done) => this.store.try(map(lock), from, done));
	save = (path: string) => this.run((done) => this.store.save(path, done));
	add = (path: string, lock: number) => this.run((done) => this.store.add(path, map(lock), done));
	remove = (wanted: string) => this.run((done) => this.store.remove(wanted, done));
	settle = () => this.time.pass(3 * WRITE_INTERVAL_MS);

	/** Locks on flash: A, B, C and the active map; undefined = there is no such file. */
	get stored(): (number | undefined)[] {
		return ["A", "B", "C", "current"].map((name) => {
			const json = this.files.text(`maps/${name}.json`);
			return json === undefined ? undefined : lockIn(json);
		});
	}

	/** The active lock, and whose map it is. */
	get active(): [number, string] {
		return [this.lock, this.settings.currentMap];
	}
}

const settingsFile = (currentMap: string) => JSON.stringify({ format: 1, currentMap });
/** A flash with maps A (current) and B. */
const flashAB = () => ({
	"maps/": "",
	"maps/A.json": text(1),
	"maps/B.json": text(2),
	"maps/current.json": text(1),
	"settings.json": settingsFile("/maps/A.json"),
});

describe("maps/map-store", () => {
	it("tries a map without changing the file of the named map but for the last edit, until it is saved", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		car.edit(5);
		assert.equal(car.try(7), UNNAMED_MAP);
		assert.deepEqual(car.active, [7, UNNAMED_MAP]);
		car.try(8);
		car.settle();
		assert.deepEqual(car.stored, [5, 2, undefined, 8]);
		assert.equal(new Car(car.files).lock, 8, "what was tried outlives a restart");
		assert.equal(car.save("/maps/A.json"), "/maps/A.json");
		assert.deepEqual([car.stored[0], car.settings.currentMap], [8, "/maps/A.json"]);
	});

	it("resumes a map under its name if that file still holds it, else without a name", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		car.try(7);
		assert.equal(car.try(1, "/maps/A.json"), "/maps/A.json");
		assert.deepEqual(car.active, [1, "/maps/A.json"]);
		for (const path of ["/maps/A.json", "/maps/gone.json", "/maps/fwd.txt", "/maps/../settings.json", "", UNNAMED_MAP]) {
			assert.equal(car.try(7, path), UNNAMED_MAP, path);
			assert.deepEqual(car.active, [7, UNNAMED_MAP], path);
		}
		car.settle();
		assert.equal(car.stored[0], 1);
	});

	it("starts an empty flash with the default map and writes no file for it", () => {
		const car = new Car(new MemoryFiles());
		assert.equal(car.settings.tuning.map, DEFAULT_MAP);
		assert.equal(car.settings.currentMap, UNNAMED_MAP);
		car.settle();
		assert.deepEqual([car.files.names, car.reports], [[], []]);
		const selected = new Car(new MemoryFiles({ "settings.json": '{"format":1,"mode":"MAP"}' }));
		assert.deepEqual([selected.settings.tuning.map, selected.problemsOf()], [DEFAULT_MAP, []]);
	});

	it("starts with current.json, else the named map, and writes what is bad or missed the last edit anew", () => {
		const { "maps/current.json": _, ...withoutCurrent } = flashAB();
		for (const [files, lock, bad, report] of [
			[{ ...flashAB(), "maps/current.json": text(9) }, 9],
			[withoutCurrent, 1],
			[
				{ ...flashAB(), "maps/current.json": '{"speedBins":[]}' },
				1,
				"current",
				/current\.json can't be used \(.*\): invalid map sizes/,
			],
			[{ ...flashAB(), "maps/A.json": "y" }, 1, "A", /A\.json can't be used/],
		] as const) {
			const car = new Car(new MemoryFiles(files));
			assert.deepEqual(car.active, [lock, "/maps/A.json"]);
			car.settle();
			assert.deepEqual(car.stored, [lock, 2, undefined, lock]);
			assert.deepEqual(
				car.files.names.filter((name) => name.endsWith(".bad")),
				bad === undefined ? [] : [`maps/${bad}.json.bad`],
			);
			assert.match(car.reports[0] ?? "", report ?? /^$/);
		}
	});

	const { "maps/current.json": _, "maps/A.json": __, ...neither } = flashAB();
	const unnamed = { "maps/": "", "maps/B.json": text(2) };
	for (const [what, files, problems] of [
		["both are bad", { ...flashAB(), "maps/current.json": "x", "maps/A.json": "y" }, ["maps/current.json", "maps/A.json"]],
		[
			"current.json is empty and the named one gone",
			{ ...neither, "maps/current.json": "" },
			["maps/current.json", "maps/A.json"],
		],
		["both are gone", neither, ["maps/A.json"]],
		[
			"current.json is cut short and none named",
			{ ...unnamed, "maps/current.json": text(0).slice(0, -9) },
			["maps/current.json"],
		],
	] as const)
		it(`uses no other map where ${what}, even at the next start, until one is loaded or edited`, () => {
			for (const [how, end] of [
				["loaded", (car: Car) => car.load("B")],
				["edited", (car: Car) => car.edit(3)],
			] as const) {
				const flash = new MemoryFiles(files as Record<string, string>);
				const first = new Car(flash);
				first.settle();
				const car = new Car(flash);
				for (const { settings, problemsOf } of [first, car]) {
					assert.equal(settings.tuning.map, UNREADABLE_MAP);
					assert.deepEqual(problemsOf(), problems, how);
				}
				assert.throws(() => car.store.read(UNNAMED_MAP), /can't be read/);
				assert.ok(car.save("/maps/C.json") instanceof Error);
				end(car);
				car.settle();
				assert.deepEqual([car.lock, car.problemsOf()], [how === "loaded" ? 2 : 3, []]);
				const after = new Car(flash);
				assert.deepEqual([after.lock, after.problemsOf()], [how === "loaded" ? 2 : 3, []]);
			}
		});

	it("uses UNREADABLE_MAP if the folder can't be created", () => {
		const createDirectory = () => {
			throw new Error("it is a file");
		};
		const car = new Car(Object.assign(new MemoryFiles({ "maps/current.json": text(1) }), { createDirectory }));
		assert.deepEqual([car.settings.tuning.map, car.problemsOf()], [UNREADABLE_MAP, ["maps"]]);
	});

	it("ignores a stored path outside of /maps", () => {
		for (const currentMap of ["/settings.json", "/maps/../settings.json", "x", "/maps/fwd.txt", "maps/A.json"]) {
			const car = new Car(new MemoryFiles({ ...flashAB(), "settings.json": settingsFile(currentMap) }));
			assert.equal(car.settings.currentMap, UNNAMED_MAP, currentMap);
			car.edit(7);
			car.settle();
			assert.deepEqual(car.files.names, ["maps/A.json", "maps/B.json", "maps/current.json", "settings.json"]);
		}
	});

	it("writes an edit to current.json and the named map, at most once in 2 s", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		for (let lock = 10; lock < 30; lock++) {
			car.edit(lock);
			car.time.pass(WRITE_INTERVAL_MS / 20);
		}
		car.settle();
		for (const path of ["maps/current.json", "maps/A.json"]) {
			assert.equal(lockIn(car.files.text(path)), 29);
			assert.ok(car.files.log.filter((line) => line === `move ${path}`).length <= 2);
		}
		assert.equal(lockIn(car.files.text("maps/B.json")), 2);
	});

	it("loads by path and by name: map and name are on flash when it is answered, and no edit is lost", () => {
		for (const [wanted, letter, lock] of [
			["/maps/B.json", "B", 2],
			["B", "B", 2],
			["B.json", "B", 2],
			["maps/B.json", "B", 2],
			// the current one, with an edit that is not in its file yet
			["A", "A", 8],
		] as const) {
			const car = new Car(new MemoryFiles(flashAB()));
			car.edit(8);
			assert.equal(car.load(wanted), `/maps/${letter}.json`);
			assert.deepEqual(car.active, [lock, `/maps/${letter}.json`]);
			assert.deepEqual(car.stored, [8, 2, undefined, lock]);
			assert.equal(JSON.parse(car.files.text("settings.json") ?? "").currentMap, `/maps/${letter}.json`);
		}
	});

	it("loads presets without a current name, and prefers a file with a preset's name", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		for (const name of ["aggressive", "conservative", "danger", "fwd"]) {
			assert.equal(car.load(name), `/maps/${name}.txt`);
			assert.equal(car.settings.currentMap, UNNAMED_MAP);
			assert.deepEqual(car.settings.tuning.map, presetAt(`/maps/${name}.txt`));
		}
		assert.ok(car.settings.tuning.map.cells.every((cell) => cell === 0));
		assert.equal(lockIn(car.files.text("maps/A.json")), 1);
		car.files.flash.set("maps/fwd.txt", Buffer.from("not a map"));
		assert.match(String(car.load("/fwd.txt")), /invalid map sizes: line 1 is "3 columns"/);
	});

	it("keeps everything as it is when a map can't be loaded", () => {
		const files = new MemoryFiles({
			...flashAB(),
			"maps/equal.json": text(3).replace("[0,5,10", "[0,5,5"),
			"maps/part.json": text(3).slice(0, 99),
			"maps/long.json": `${text(3)}${" ".repeat(5000)}`,
		});
		const car = new Car(files);
		for (const [wanted, reason] of [
			["equal", /bins must ascend: speedBins\[2\] is 5; allowed: above 5/],
			["part", /./],
			["long", /allowed: 4096/],
			["none", /there is no such map/],
			["../settings.json", /there is no such map/],
			["/settings.json", /there is no such map/],
		] as const)
			assert.match(String(car.load(wanted)), reason);
		car.settle();
		assert.deepEqual([car.lock, car.settings.currentMap, files.text("maps/equal.json.bad")], [1, "/maps/A.json", undefined]);
		assert.equal(lockIn(files.text("maps/current.json")), 1);
	});

	it("saves the active map under a new name and an old one, and goes on there", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		car.edit(8);
		assert.equal(car.save("/maps/C.json"), "/maps/C.json");
		assert.deepEqual(
			[car.active, car.stored],
			[
				[8, "/maps/C.json"],
				[8, 2, 8, 8],
			],
		);
		assert.equal(JSON.parse(car.files.text("settings.json") ?? "").currentMap, "/maps/C.json");
		car.edit(9);
		assert.equal(car.save("/maps/B.json"), "/maps/B.json");
		assert.equal(car.save("/maps/current.json"), UNNAMED_MAP);
		car.edit(10);
		car.settle();
		assert.deepEqual(car.stored, [8, 9, 9, 10]);
	});

	it("keeps another stored map before a save or an import replaces it, and replaces nothing that can't be kept", () => {
		const car = new Car(new MemoryFiles({ ...flashAB(), "maps/broken.json": "{" }));
		assert.equal(car.save("/maps/C.json"), "/maps/C.json");
		for (const path of ["/maps/A.json", "/maps/C.json", "/maps/broken.json"]) assert.equal(car.save(path), path);
		assert.equal(car.add("/maps/A.json", 1), "/maps/A.json");
		assert.deepEqual(car.replaced, [], "nothing was lost: there was none, the same one, none that can be used");
		assert.equal(car.save("/maps/B.json"), "/maps/B.json");
		assert.equal(car.add("/maps/A.json", 5), "/maps/A.json");
		assert.deepEqual(car.replaced, [2, 1]);
		car.keepsNothing = true;
		car.edit(6);
		for (const refused of [car.save("/maps/A.json"), car.add("/maps/C.json", 7)]) assert.match(String(refused), /no space/);
		assert.deepEqual([lockIn(car.files.text("maps/A.json")), lockIn(car.files.text("maps/C.json"))], [5, 1]);
		assert.equal(car.settings.currentMap, "/maps/B.json");
	});

	it("an edit during a save goes into the file that is saved", () => {
		for (let n = 1; n <= 3; n++) {
			const car = new Car(new MemoryFiles(flashAB()));
			let writes = 0;
			car.files.onWrite = () => {
				if (++writes === n) car.edit(20);
			};
			assert.equal(car.save("/maps/C.json"), "/maps/C.json");
			car.settle();
			assert.deepEqual([car.active, car.stored[2], car.stored[3]], [[20, "/maps/C.json"], 20, 20], `at write ${n}`);
		}
	});

	it("does one operation after the other", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		const order: (string | undefined)[] = [];
		const done = (path: string | undefined) => order.push(path);
		car.store.activate("B", done);
		car.store.save("/maps/C.json", done);
		car.store.remove("B", done);
		car.store.remove("C", done);
		car.store.activate("B", done);
		car.time.pass(100);
		assert.deepEqual(order, ["/maps/B.json", "/maps/C.json", "/maps/B.json", undefined, undefined]);
		assert.deepEqual(car.active, [2, "/maps/C.json"]);
	});

	it("rejects a request for a map that is no longer active", () => {
		const car = new Car(new MemoryFiles({ "maps/": "", "maps/A.json": text(1) }));
		car.load("A");
		const { map: seen } = car.settings.tuning;
		const answers: string[] = [];
		const done = (path: string | undefined, reason: string) => void answers.push(path ?? reason);
		const all = (): void => {
			car.store.try(map(20), "", done, seen);
			car.store.try(map(30), UNNAMED_MAP, done, seen);
			car.store.save("/maps/B.json", done, seen);
		};
		all();
		car.edit(7);
		car.settle();
		assert.deepEqual(answers.splice(0), Array(3).fill("changed meanwhile"));
		assert.deepEqual([car.lock, car.settings.currentMap, car.files.text("maps/B.json")], [7, "/maps/A.json", undefined]);
		car.edit(1);
		car.store.save("/maps/B.json", done, seen);
		car.settle();
		assert.deepEqual(answers, ["/maps/B.json"], "what is equal is the same map");
	});

	it("never overwrites an edit that was made during the operation", () => {
		const answers: (string | undefined)[] = [];
		for (const operation of ["try", "resume", "resume a stored one"] as const)
			for (let n = 1; n <= 4; n++) {
				const files = new MemoryFiles(flashAB());
				const car = new Car(files);
				car.settle();
				const { map: seen } = car.settings.tuning;
				let answer: string | undefined;
				let writes = 0;
				files.onWrite = () => {
					if (++writes === n) car.edit(7);
				};
				const done = (path: string | undefined, reason: string): void => {
					answer = path ?? reason;
				};
				if (operation === "try") car.store.try(map(20), "", done, seen);
				else if (operation === "resume") car.store.try(map(30), UNNAMED_MAP, done, seen);
				else car.store.try(map(2), "/maps/B.json", done, seen);
				car.settle();
				files.onWrite = () => {};
				if (writes < n || answer === undefined) continue;
				answers.push(answer);
				const where = `${operation}, an edit at write ${n}: ${answer}, ${car.settings.currentMap}`;
				assert.equal(car.lock, 7, where);
				if (answer === "changed meanwhile") assert.equal(car.settings.currentMap, "/maps/A.json", where);
				for (const path of [car.settings.currentMap, UNNAMED_MAP]) assert.equal(lockIn(files.text(path.slice(1))), 7, where);
				assert.equal(lockIn(files.text("maps/B.json")), 2, where);
			}
		assert.ok(answers.filter((answer) => answer === "changed meanwhile").length >= 5, answers.join());
	});

	it("deletes a map unless it is read-only or current", () => {
		const car = new Car(new MemoryFiles({ ...flashAB(), "maps/mine.txt": "x" }));
		for (const [wanted, reason] of [
			["A", /current/],
			["/maps/current.json", /current/],
			["mine", /read-only/],
			["/maps/fwd.txt", /read-only/],
			["none", /no such map/],
			["/maps/../settings.json", /no such map/],
		] as const)
			assert.match(String(car.remove(wanted)), reason);
		assert.equal(car.remove("B"), "/maps/B.json");
		assert.deepEqual(car.files.names, ["maps/A.json", "maps/current.json", "maps/mine.txt", "settings.json"]);
	});

	describe("maps that conditions select", () => {
		const WINTER = "maps/Winter tyres.json";
		const selects = (path: string, enabled = true): ConditionSettings => condition({ effect: "map", map: `/${path}`, enabled });
		const booted = (files: Record<string, string>, ...conditions: ConditionSettings[]): Car => {
			const settings = { format: 1, ...SETTINGS_DOCUMENT.write({ ...DEFAULT_SETTINGS, conditions }) };
			return new Car(new MemoryFiles({ ...files, "settings.json": JSON.stringify(settings) }));
		};

		it("are read at the start, and follow what is stored under their path", () => {
			const car = booted({ [WINTER]: text(20), "maps/unused.json": text(30) }, selects(WINTER), selects("maps/fwd.txt"));
			assert.deepEqual(car.selected(), { "/maps/Winter tyres.json": 20, "/maps/fwd.txt": 0 });
			assert.equal(car.add(`/${WINTER}`, 21), `/${WINTER}`);
			assert.deepEqual([car.selected()[`/${WINTER}`], car.replaced], [21, [20]]);
			car.load("Winter tyres");
			car.edit(22);
			assert.equal(car.selected()[`/${WINTER}`], 22, "an edit of the named map counts at once");
			car.try(50);
			assert.deepEqual([car.lock, car.selected()[`/${WINTER}`], lockIn(car.files.text(WINTER))], [50, 22, 22]);
			car.save(`/${WINTER}`);
			assert.equal(car.selected()[`/${WINTER}`], 50);
		});

		it("are reported while missing or invalid, and never replaced by another map", () => {
			for (const files of [{}, { [WINTER]: "{}" }, { [WINTER]: text(20).replace("20", "200") }]) {
				const car = booted({ ...files, "maps/current.json": text(70) }, selects(WINTER));
				assert.deepEqual([car.selected(), car.problemsOf()], [{ [`/${WINTER}`]: "unreadable" }, [WINTER]]);
				assert.equal(car.lock, 70);
				car.add(`/${WINTER}`, 21);
				assert.deepEqual([car.selected()[`/${WINTER}`], car.problemsOf()], [21, []]);
				const other = booted(files, selects(WINTER));
				other.applySettings({ ...other.settings, conditions: [selects(WINTER, false)] });
				assert.deepEqual([other.selected(), other.problemsOf()], [{}, []]);
			}
			assert.deepEqual(booted({}, selects(WINTER, false)).problemsOf(), []);
			assert.deepEqual(booted({ "maps/current.json": text(1) }, selects("maps/current.json")).selected(), {
				"/maps/current.json": "unreadable",
			});
		});

		it("are read one at a time before conditions are applied, and those that are applied stay", () => {
			const car = booted({ [WINTER]: text(20), "maps/a.json": text(1), "maps/b.json": text(2) }, selects(WINTER));
			const wanted = [selects("maps/a.json"), selects("maps/b.json"), selects("maps/a.json"), selects("maps/none.json")];
			assert.deepEqual(
				[1, 2, 3, 4].map(() => car.store.readFor(wanted)),
				["/maps/a.json", "/maps/b.json", "/maps/none.json", ""],
			);
			assert.deepEqual(
				["a", "b", "none", "c"].map((name) => car.store.isUsable(`/maps/${name}.json`)),
				[true, true, false, false],
			);
			assert.equal(car.selected()[`/${WINTER}`], 20, "it is still applied");
			assert.deepEqual(car.problemsOf(), [], "what was only asked for is no problem of the flash");
			// asked for, and never applied: what was read is forgotten with the next
			car.store.readFor([selects("maps/fwd.txt")]);
			assert.deepEqual(Object.keys(car.selected()), [`/${WINTER}`, "/maps/fwd.txt"]);
			car.applySettings({ ...car.settings, conditions: [] });
			assert.deepEqual(car.selected(), {});
		});

		it("can't be deleted while selected, and then only after the settings are on flash", () => {
			const car = booted({ [WINTER]: text(20) }, selects(WINTER, false));
			assert.match(String(car.remove(`/${WINTER}`)), /a condition selects it/);
			car.applySettings({ ...car.settings, conditions: [] });
			assert.equal(car.remove(`/${WINTER}`), `/${WINTER}`);
			assert.deepEqual([car.files.text(WINTER), JSON.parse(car.files.text("settings.json") ?? "").conditions], [undefined, []]);
		});
	});

	it("adds maps, but rejects the path of the active one", () => {
		const car = new Car(new MemoryFiles(flashAB()));
		assert.equal(car.add("/maps/C.json", 5), "/maps/C.json");
		assert.equal(car.add("/maps/B.json", 6), "/maps/B.json");
		for (const path of ["/maps/A.json", UNNAMED_MAP]) assert.match(String(car.add(path, 7)), /current map/);
		assert.deepEqual([car.stored, car.lock], [[1, 6, 5, 1], 1]);
	});

	it("stores a limited number of maps; those that are there may be replaced", () => {
		const content: Record<string, string> = { "maps/": "" };
		for (let i = 0; i < STORED_MAPS_MAX; i++) content[`maps/${i}.json`] = text(i);
		const car = new Car(new MemoryFiles({ ...content, "maps/x.bad": "" }));
		assert.match(String(car.save("/maps/one-more.json")), /64 maps are stored; allowed: 64/);
		assert.match(String(car.add("/maps/one-more.json", 1)), /allowed: 64/);
		assert.equal(car.save("/maps/7.json"), "/maps/7.json");
		assert.equal(car.save(UNNAMED_MAP), UNNAMED_MAP);
	});

	it("lists files and presets in byte order, from any name on", () => {
		const car = new Car(new MemoryFiles({ ...flashAB(), "maps/fwd.txt": "", "maps/z.json": "", "maps/z.bad": "", "maps/b": "" }));
		const all = ["A.json", "B.json", "aggressive.txt", "conservative.txt", "danger.txt", "fwd.txt", "z.json"];
		for (let i = 0; i <= all.length; i++) assert.deepEqual([...car.store.namesAfter(all[i - 1] ?? "")], all.slice(i));
	});

	it("if any single write fails, the answer says so, the active map stays, and edits go to the named file", () => {
		for (const [name, operate, ...after] of [
			["load", (car: Car) => car.load("B"), 2, "/maps/B.json"],
			["preset", (car: Car) => car.load("fwd"), 0, UNNAMED_MAP],
			["save", (car: Car) => car.save("/maps/B.json"), 8, "/maps/B.json"],
			["try", (car: Car) => car.try(7), 7, UNNAMED_MAP],
			["resume", (car: Car) => car.try(2, "/maps/B.json"), 2, "/maps/B.json"],
		] as const)
			for (let n = 1; n <= 5; n++) {
				const files = new MemoryFiles(flashAB());
				const car = new Car(files);
				car.edit(8);
				let writes = 0;
				files.onWrite = () => {
					if (++writes === n) throw new Error("write failed");
				};
				const result = operate(car);
				const failed = writes >= n;
				if (failed) assert.equal(String(result), "Error: write failed", `${name} ${n}`);
				assert.deepEqual(car.active, failed ? [8, "/maps/A.json"] : after, `${name} ${n}`);
				car.edit(30);
				car.time.pass(2 * WRITE_RETRY_MS);
				const again = new Car(files);
				assert.deepEqual(again.active, [30, car.settings.currentMap]);
				assert.equal(lockIn(files.text(car.settings.currentMap.slice(1))), 30);
				if (name !== "save" && failed) assert.equal(car.stored[1], 2);
			}
	});

	describe("after an error everything is as before, also if the power goes at once:", () => {
		const operations: Record<string, (car: Car) => string | Error> = {
			load: (car) => car.load("B"),
			"load a preset": (car) => car.load("fwd"),
			try: (car) => car.try(7),
			resume: (car) => car.try(2, "/maps/B.json"),
			"save under a new name": (car) => car.save("/maps/C.json"),
			"save over another map": (car) => car.save("/maps/B.json"),
			"save without a name": (car) => car.save(UNNAMED_MAP),
			"import under a new name": (car) => car.add("/maps/C.json", 4),
			"import over another map": (car) => car.add("/maps/B.json", 4),
			delete: (car) => car.remove("B"),
		};
		/** Calls what happens at the n-th of the calls from now on. */
		const at = (n: number, happen: () => void): (() => void) => {
			let count = 0;
			return () => {
				if (++count === n) happen();
			};
		};
		const fail = () => {
			throw new Error("write failed");
		};
		const faults: Record<string, (files: MemoryFiles, n: number) => void> = {
			"the n-th write fails": (files, n) => {
				files.onWrite = at(n, fail);
			},
			"the n-th write is torn": (files, n) => {
				files.onWrite = at(n, () => {
					files.tearsNext = true;
				});
			},
			"the n-th move fails": (files, n) => {
				const { move } = files;
				const tell = at(n, fail);
				files.move = (from, to) => {
					tell();
					move.call(files, from, to);
				};
			},
			"all writes fail from the n-th on": (files, n) => {
				files.onWrite = at(n, () => {
					files.onWrite = fail;
					fail();
				});
			},
			"the flash is full": (files, n) => {
				files.capacity = files.used + 50 * (n - 1);
			},
		};
		const seen = (car: Car, withName = true): string => {
			const [lock, name] = car.active;
			return JSON.stringify([lock, withName ? name : "", car.settings.mapFrom, car.stored, car.selected(), car.files.names]);
		};
		for (const [name, operate] of Object.entries(operations))
			it(name, () => {
				const conditions = name === "delete" ? [] : [condition({ effect: "map", map: "/maps/B.json" })];
				let errors = 0;
				for (const currentMap of ["/maps/A.json", UNNAMED_MAP])
					for (const [fault, arrange] of Object.entries(faults))
						for (let n = 1; ; n++) {
							const settings = { format: 1, ...SETTINGS_DOCUMENT.write({ ...DEFAULT_SETTINGS, currentMap, conditions }) };
							const files = new MemoryFiles({ ...flashAB(), "settings.json": JSON.stringify(settings) });
							const car = new Car(files);
							car.settle();
							const before = new Car(files.copy());
							arrange(files, n);
							if (!(operate(car) instanceof Error)) break;
							errors++;
							const what = `${fault}, ${n}, ${currentMap}`;
							// a name that is dropped on flash can't be taken back there if nothing more is written
							const keepsName = fault !== "all writes fail from the n-th on";
							const restarted = new Car(files.copy());
							assert.equal(seen(restarted, keepsName), seen(before, keepsName), `${what}, restarted`);
							assert.equal(seen(car), seen(before), what);
							car.time.pass(2 * WRITE_RETRY_MS);
							assert.equal(seen(car), seen(before), `${what}, later`);
						}
				assert.ok(errors >= 5, `${errors} errors`);
			});
	});

	/** Does an operation step by step. @param each is told the number of the step, from 0 on, before it */
	const inSteps = (car: Car, operate: (car: Car) => unknown, each: (step: number) => void): void => {
		const { writes } = car.time;
		const { add } = writes;
		let job: Steps | undefined;
		writes.add = (steps: Steps) => {
			job = steps;
		};
		operate(car);
		writes.add = add;
		assert.ok(job !== undefined);
		for (let step = 0, isDone: boolean | undefined = false; !isDone; step++) {
			each(step);
			isDone = job.next().done;
		}
		each(-1);
	};
	const noAnswer = () => {};

	it("an edit during a load or a resume, and a power cut after any step, leave the other map as it is stored", () => {
		let rejected = 0;
		for (const operate of [
			(car: Car) => car.store.activate("B", noAnswer),
			(car: Car) =>
				car.store.try(
					map(2),
					"/maps/B.json",
					(path) => {
						rejected += path === undefined ? 1 : 0;
					},
					car.settings.tuning.map,
				),
		])
			for (let editAt = 0; editAt < 20; editAt++) {
				const car = new Car(new MemoryFiles(flashAB()));
				car.settle();
				inSteps(car, operate, (step) => {
					if (step === editAt) car.edit(9);
					const restarted = new Car(car.files.copy());
					restarted.settle();
					assert.equal(restarted.stored[1], 2, `an edit before step ${editAt}, a cut before step ${step}`);
				});
			}
		assert.ok(rejected > 3, `${rejected} rejected`);
	});

	it("one step writes or moves one file, also where a write fails", () => {
		for (const operate of [
			(car: Car) => car.store.activate("B", noAnswer),
			(car: Car) => car.store.save("/maps/B.json", noAnswer),
			(car: Car) => car.store.save("/maps/C.json", noAnswer),
		])
			for (let n = 0; n < 6; n++) {
				const car = new Car(new MemoryFiles(flashAB()));
				car.settle();
				let inStep = 0;
				let writes = 0;
				const { files } = car;
				const { move } = files;
				files.onWrite = () => {
					inStep++;
					if (++writes === n) throw new Error("write failed");
				};
				files.move = (from, to) => {
					inStep++;
					move.call(files, from, to);
				};
				inSteps(car, operate, () => {
					assert.ok(inStep <= 1, `${inStep} in a step, write ${n} fails`);
					inStep = 0;
				});
			}
	});

	it("a power cut after any storage operation leaves each map old or new under its own name", () => {
		const operations: Record<string, (car: Car) => void> = {
			load: (car) => car.load("B"),
			preset: (car) => car.load("fwd"),
			try: (car) => {
				car.try(4);
				car.settle();
			},
			resume: (car) => car.try(2, "/maps/B.json"),
			save: (car) => car.save("/maps/C.json"),
			"save over": (car) => car.save("/maps/B.json"),
			edit: (car) => car.settle(),
			remove: (car) => car.remove("B"),
			add: (car) => car.add("/maps/B.json", 4),
		};
		let cuts = 0;
		for (const [name, operate] of Object.entries(operations)) {
			const run = (cutAfter: number): MemoryFiles => {
				const files = new MemoryFiles(flashAB());
				const car = new Car(files);
				if (name !== "remove" && name !== "add") car.edit(8);
				if (cutAfter > 0) files.cutAfter = files.operations + cutAfter;
				try {
					operate(car);
				} catch (error) {
					if (!(error instanceof PowerCut)) throw error;
				}
				files.cutAfter = 0;
				return files;
			};
			const total = run(0).operations;
			assert.ok(total > 0);
			for (let cut = 1; cut <= total; cut++) {
				const files = run(cut);
				cuts++;
				const what = `${name}, cut after ${cut}`;
				const after = new Car(files);
				assert.deepEqual(after.reports, [], what);
				assert.ok(!files.names.some((path) => /\.(new|bad)$/.test(path)), what);
				const found = (map: string) =>
					files.text(`maps/${map}.json`) === undefined ? -1 : lockIn(files.text(`maps/${map}.json`));
				assert.ok([1, 8].includes(found("A")), what);
				const newB = name === "remove" ? -1 : name === "add" ? 4 : name === "save over" ? 8 : 2;
				assert.ok([2, newB].includes(found("B")), what);
				assert.ok([-1, 8].includes(found("C")), what);
				const { currentMap } = after.settings;
				// the active map belongs to the name that is current
				if (currentMap === "/maps/A.json") assert.ok([1, 8].includes(after.lock), what);
				if (currentMap === "/maps/B.json") assert.equal(after.lock, name === "load" || name === "resume" ? 2 : 8, what);
				if (currentMap === "/maps/C.json") assert.equal(after.lock, 8, what);
				after.settle();
				if (currentMap !== UNNAMED_MAP) assert.equal(lockIn(files.text(currentMap.slice(1))), after.lock, what);
			}
		}
		assert.ok(cuts > 60, `${cuts} cuts`);
	});
});
