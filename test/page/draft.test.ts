/**
 * Drafts without a browser: a controller that answers when it is told to, and a storage that two tabs share.
 */

import assert from "node:assert/strict";
import type * as Conditions from "../../src/page/conditions/conditions.js";
import { NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import type * as Maps from "../../src/page/map/map-draft.js";
import { ApiError, LinkError } from "../../src/page/net/request.js";
import { hasShapeOf } from "../../src/page/state/cache.js";
import { Draft, type DraftSource, type DraftState } from "../../src/page/state/draft.js";
import { loadStatus, status } from "../../src/page/state/status.js";

interface Row {
	readonly a: number;
	readonly b: number;
}

const KEY = "opencoupling:draft:row";
/** A module that is imported under another name is loaded anew, as by another visit of the page. */
let count = 0;

describe("a draft", () => {
	const own = { fetch: globalThis.fetch, localStorage: Object.getOwnPropertyDescriptor(globalThis, "localStorage") };
	const kept = new Map<string, string>();
	let stored: Row;
	/** Told when a write has reached the controller; it answers when `answer` is called. */
	let written: Promise<void>;
	let answer: () => void;

	const draftOf = (more: Partial<DraftSource<Row>> = {}): Draft<Row> => {
		let reached = (): void => {};
		written = new Promise((resolve) => {
			reached = resolve;
		});
		return new Draft<Row>({
			name: "row",
			revision: "map",
			read: () => stored,
			write: (value) => {
				reached();
				return new Promise<void>((resolve) => {
					answer = () => {
						stored = value;
						resolve();
					};
				});
			},
			...more,
		});
	};
	const loaded = async (more?: Partial<DraftSource<Row>>): Promise<Draft<Row>> => {
		const draft = draftOf(more);
		await draft.load();
		assert.equal(draft.state.value.problem, "");
		return draft;
	};
	/** Saves, and does `act` before the controller has answered. */
	const saveWhile = async (draft: Draft<Row>, act: () => unknown): Promise<void> => {
		const saving = draft.save();
		await written;
		await act();
		answer();
		assert.equal(await saving, true);
		assert.equal(draft.state.value.saving, false);
	};
	const keep = (value: unknown): unknown => kept.set(KEY, JSON.stringify(value));

	beforeEach(() => {
		stored = { a: 1, b: 1 };
		kept.clear();
		const localStorage = {
			getItem: (name: string) => kept.get(name) ?? null,
			setItem: (name: string, text: string) => kept.set(name, text),
			removeItem: (name: string) => kept.delete(name),
		};
		Object.defineProperty(globalThis, "localStorage", { configurable: true, value: localStorage });
		globalThis.fetch = async () => Response.json({ revisions: { map: 1 }, earlier: { map: 3 } });
	});
	after(() => {
		globalThis.fetch = own.fetch;
		if (own.localStorage === undefined) Reflect.deleteProperty(globalThis, "localStorage");
		else Object.defineProperty(globalThis, "localStorage", own.localStorage);
	});

	/** Asserts what a draft shows: absent members may be anything. */
	const shows = (draft: Draft<Row>, value: Row, expected: Partial<DraftState<Row>> = {}): void => {
		const names = Object.keys(expected) as (keyof DraftState<Row>)[];
		const { shown, ...state } = draft.state.value;
		assert.deepEqual([shown, Object.fromEntries(names.map((name) => [name, { shown, ...state }[name]]))], [value, expected]);
	};

	it("that is changed while it is saved keeps the change as a draft of the saved value, with its own undo", async () => {
		const draft = await loaded();
		draft.edit({ a: 2, b: 1 }, "a");
		await saveWhile(draft, () => {
			// typing on is a step of its own: what was written stays within reach
			draft.edit({ a: 3, b: 1 }, "a");
			draft.edit({ a: 3, b: 2 });
		});
		shows(draft, { a: 3, b: 2 }, { stored: { a: 2, b: 1 }, dirty: true, moved: false });
		assert.deepEqual(JSON.parse(kept.get(KEY)!), { base: { a: 2, b: 1 }, value: { a: 3, b: 2 } });
		await draft.undo();
		shows(draft, { a: 3, b: 1 });
		await draft.undo();
		// what was before the save is not undone in this browser
		shows(draft, { a: 2, b: 1 }, { dirty: false, canUndo: false });
		draft.redo();
		draft.redo();
		shows(draft, { a: 3, b: 2 });
		await saveWhile(draft, () => {});
		assert.deepEqual(stored, { a: 3, b: 2 });
		shows(draft, stored, { dirty: false, canUndo: false });
	});

	it("that is undone while it is saved shows the earlier state, and can redo", async () => {
		const draft = await loaded();
		draft.edit({ a: 2, b: 1 });
		await saveWhile(draft, () => draft.undo());
		shows(draft, { a: 1, b: 1 }, { stored: { a: 2, b: 1 }, dirty: true, moved: false });
		draft.redo();
		shows(draft, { a: 2, b: 1 }, { dirty: false });
		draft.edit({ a: 3, b: 1 });
		await saveWhile(draft, () => {
			draft.edit({ a: 3, b: 2 });
			return draft.undo();
		});
		shows(draft, { a: 3, b: 1 }, { dirty: false });
		assert.equal(kept.has(KEY), false);
	});

	it("stays in the browser while another tab reads the value again", async () => {
		const other = await loaded();
		const draft = await loaded();
		draft.edit({ a: 2, b: 1 });
		await other.load();
		assert.equal(kept.has(KEY), true);
		draft.discard();
		assert.equal(kept.has(KEY), false, "who has written it removes it");
		draft.edit({ a: 2, b: 1 });
		const recalled = await loaded();
		assert.equal(recalled.state.value.dirty, true);
		recalled.discard();
		assert.equal(kept.has(KEY), false, "and so does who has recalled it");
	});

	it("of another version of the page is dropped if its shape is another one, and kept over another client's change", async () => {
		for (const odd of [
			{ base: { a: 1 }, value: { a: 2 } },
			{ base: { a: 1, b: 1 }, value: { a: "2", b: 1 } },
			{ base: null, value: null },
			{ value: { a: 2, b: 1 } },
		]) {
			keep(odd);
			shows(await loaded(), stored, { dirty: false, moved: false });
			assert.equal(kept.has(KEY), false);
		}
		keep({ base: stored, value: { a: 9, b: 1 } });
		shows(await loaded({ fits: ({ a }) => a < 9 }), stored, { dirty: false });
		keep({ base: { a: 0, b: 1 }, value: { a: 2, b: 1 } });
		shows(await loaded(), { a: 2, b: 1 }, { dirty: true, moved: true });
	});

	describe("whose save got no answer", () => {
		/** The controller takes it, and its answer is lost on the way. */
		const unanswered: Partial<DraftSource<Row>> = {
			write: async (value) => {
				stored = value;
				throw new LinkError();
			},
		};
		const savedUnanswered = async (source: Partial<DraftSource<Row>>): Promise<Draft<Row>> => {
			const draft = await loaded(source);
			draft.edit({ a: 2, b: 1 });
			assert.equal(await draft.save(), false);
			assert.equal(draft.state.value.lost, true);
			return draft;
		};

		it("is based on the sent value if it is edited further and the controller has that value", async () => {
			const draft = await savedUnanswered(unanswered);
			draft.edit({ a: 2, b: 2 });
			await draft.load();
			shows(draft, { a: 2, b: 2 }, { dirty: true, moved: false, lost: false });
			assert.deepEqual(JSON.parse(kept.get(KEY)!), { base: { a: 2, b: 1 }, value: { a: 2, b: 2 } });
			await draft.undo();
			shows(draft, { a: 2, b: 1 }, { dirty: false, canUndo: false });
			stored = { a: 9, b: 9 };
			draft.edit({ a: 2, b: 3 });
			await draft.load();
			assert.equal(draft.state.value.moved, true, "now another client has changed it");
		});

		it("ends if the controller turns out to have the sent value", async () => {
			const draft = await savedUnanswered(unanswered);
			await draft.load();
			shows(draft, { a: 2, b: 1 }, { dirty: false, lost: false, canUndo: false });
			assert.equal(kept.has(KEY), false);
		});

		it("is saved over its own arrived change without a question", async () => {
			let answers = false;
			const draft = await savedUnanswered({
				write: async (value, revision) => {
					if (answers && revision === 1) throw new ApiError(409, "changed meanwhile", "");
					stored = value;
					if (!answers) throw new LinkError();
				},
			});
			draft.edit({ a: 2, b: 2 });
			answers = true;
			globalThis.fetch = async () => Response.json({ revisions: { map: 2 }, earlier: { map: 3 } });
			assert.equal(await draft.save(), true);
			shows(draft, { a: 2, b: 2 }, { stored, dirty: false, lost: false });
		});
	});

	it("keeps an edit made while an earlier state is fetched", async () => {
		const asked: number[] = [];
		let fetched = (_: Row): void => {};
		const earlier = (back: number): Promise<Row> => {
			asked.push(back);
			return new Promise((resolve) => {
				fetched = resolve;
			});
		};
		const draft = await loaded({ earlier });
		const first = draft.undo();
		await Promise.resolve();
		draft.edit({ a: 1, b: 7 });
		fetched({ a: -1, b: 1 });
		await first;
		shows(draft, { a: 1, b: 7 }, { back: 0 });
		await draft.undo();
		// the edit is the last step
		shows(draft, { a: 1, b: 1 });
		const second = draft.undo();
		await Promise.resolve();
		fetched({ a: -1, b: 1 });
		await second;
		shows(draft, { a: -1, b: 1 }, { back: 1 });
		assert.deepEqual(asked, [1, 1]);
	});

	it("undoes from the newest value if that was read again meanwhile", async () => {
		let whileAsked = async (): Promise<void> => {
			whileAsked = async () => {};
			stored = { a: 7, b: 1 };
			await draft.load();
		};
		const draft = await loaded({
			earlier: async (back) => {
				const answered = { ...stored, a: stored.a - back };
				await whileAsked();
				return answered;
			},
		});
		await draft.undo();
		shows(draft, { a: 6, b: 1 }, { back: 1 });
	});

	it("goes two states back if undone twice, in whatever order answers come", async () => {
		const draft = await loaded({
			earlier: async (back) => {
				// the second answer is there before the first
				for (let turns = back === 1 ? 50 : 0; turns > 0; turns--) await Promise.resolve();
				return { a: -back, b: 1 };
			},
		});
		draft.edit({ a: 2, b: 1 });
		await saveWhile(draft, () => {});
		await Promise.all([draft.undo(), draft.undo()]);
		shows(draft, { a: -2, b: 1 }, { back: 2 });
		draft.redo();
		shows(draft, { a: -1, b: 1 });
	});

	it("of conditions is checked for its members, also while the controller has no condition", async () => {
		const shown = async (value: unknown) => {
			kept.set("opencoupling:draft:conditions", JSON.stringify({ base: [], value }));
			const { conditionsDraft } = (await import(`../../src/page/conditions/conditions.js?${++count}`)) as typeof Conditions;
			await conditionsDraft.load();
			return conditionsDraft.state.value.shown;
		};
		globalThis.fetch = async () => Response.json({ revisions: { settings: 1 }, conditions: [] });
		assert.deepEqual(await shown([{ enabled: true }]), []);
		assert.deepEqual(await shown([NEW_CONDITION]), [NEW_CONDITION]);
	});

	it("of a map is dropped if it is of another size", async () => {
		const axes = { speedBins: Array(9).fill(0), throttleBins: Array(7).fill(0) };
		const map = { ...axes, lockTable: Array(7).fill(Array(9).fill(0)), from: "" };
		const shown = async (more: object) => {
			kept.set("opencoupling:draft:map", JSON.stringify({ base: map, value: { ...map, ...more } }));
			const { mapDraft } = (await import(`../../src/page/map/map-draft.js?${++count}`)) as typeof Maps;
			await mapDraft.load();
			return mapDraft.state.value.dirty;
		};
		globalThis.fetch = async () => Response.json({ revisions: { map: 1 }, earlier: { map: 0 }, ...map });
		assert.equal(await shown({ lockTable: [] }), false);
		assert.equal(await shown({ lockTable: Array(7).fill([5]) }), false);
		assert.equal(await shown({ lockTable: Array(7).fill(Array(9).fill(5)) }), true);
	});
});

describe("a value", () => {
	it("has the shape of another if each member is of the same kind", () => {
		const rows: [value: unknown, base: unknown, has: boolean][] = [
			[[{ x: 1 }, { x: 2 }], [{ x: 0 }], true],
			[[{ x: 1 }, {}], [{ x: 0 }], false],
			[{}, [], false],
			[[[1], ["1"]], [[0]], false],
			[{ x: null }, { x: 1 }, false],
			[{ x: 1, y: 2 }, { x: 1 }, true],
			[[{ enabled: true }], [NEW_CONDITION], false],
		];
		for (const [value, base, has] of rows) assert.equal(hasShapeOf(value, base), has, JSON.stringify(value));
	});
});

describe("the page's snapshot", () => {
	it("is that of the latest read, whatever is answered afterwards", async () => {
		const { fetch } = globalThis;
		const answers: ((mapRevision: number) => void)[] = [];
		globalThis.fetch = () =>
			new Promise((resolve) => answers.push((map) => resolve(new Response(JSON.stringify({ revisions: { map } })))));
		try {
			const reads = [loadStatus(), loadStatus(), loadStatus()] as const;
			const answered = async (read: 0 | 1 | 2, mapRevision: number): Promise<number | undefined> => {
				answers[read]!(mapRevision);
				await reads[read];
				return status.value?.revisions.map;
			};
			// a draft that was saved has its own read: what is stored next is of that revision, though another read is under way
			assert.equal(await answered(0, 1), 1);
			assert.equal(await answered(2, 3), 3);
			assert.equal(await answered(1, 2), 3);
		} finally {
			globalThis.fetch = fetch;
		}
	});
});
