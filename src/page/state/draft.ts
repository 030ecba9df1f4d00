/**
 * Changes that the driver has not saved: beside the controller's value, kept across a reload, with
 * undo. The controller's answer is what counts: after each save it is read again and shown.
 */

import { useEffect } from "preact/hooks";
import { revisions, whenLive } from "../net/live";
import { ApiError, inWords, LinkError } from "../net/request";
import type { Revisions, Status } from "../net/types";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { hasShapeOf, recall, remember } from "./cache";
import { loadStatus } from "./status";
import { Store, useStore } from "./store";

/** Steps of undo before the oldest is forgotten: more than a long edit has. */
const STEPS_MAX = 100;
/** Wait before it is said that a save has not arrived. */
const SECOND_LOOK_MS = 1000;

/** Error of the interface: the value has changed since the draft was begun. */
const CHANGED = "changed meanwhile";

/** A draft as components see it. */
export interface DraftState<T> {
	/** The controller's value as last read; undefined before that. */
	readonly stored: T | undefined;
	readonly shown: T | undefined;
	readonly dirty: boolean;
	readonly saving: boolean;
	/** The connection was lost in a save, and whether it has arrived is not known yet. */
	readonly lost: boolean;
	/** The controller's values have changed since the draft was begun. */
	readonly moved: boolean;
	readonly canUndo: boolean;
	readonly canRedo: boolean;
	/** The shown value was in the controller this many changes ago; 0 = it was not restored. */
	readonly back: number;
	/** Why it could not be read or saved, "" = nothing is wrong. */
	readonly problem: string;
}

/** Where a draft's value comes from and goes to. */
export interface DraftSource<T> {
	readonly name: string;
	readonly revision: keyof Revisions;
	readonly read: (snapshot: Status) => Promise<T> | T;
	/** @param revision of what the change was made from */
	readonly write: (value: T, revision: number) => Promise<unknown>;
	/** Reads what the controller had a number of changes ago; absent: nothing older than the draft can be had. */
	readonly earlier?: (back: number) => Promise<T>;
	/** The notice of a save; absent: that it is saved. */
	readonly written?: () => string;
	/** Asks the driver where a change needs a second thought. @returns false if it is not to be written */
	readonly sure?: (value: T, stored: T | undefined) => Promise<boolean>;
	/** What the driver must enter before a value can be written, "" = nothing; absent: every value can be. */
	readonly missing?: (value: T) => string;
	/** Whether a kept draft of the stored value's shape can be shown; absent: it can. */
	readonly fits?: (value: T) => boolean;
}

interface Kept<T> {
	readonly base: T;
	readonly value: T;
}

/** The steps that lead back no further than to `value`; all, if it is not among them. */
function since<T>(steps: readonly T[], value: T): T[] {
	return steps.slice(Math.max(0, steps.lastIndexOf(value)));
}

/** The same as JSON: names in the same order, too. */
export function same(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** One value as it is edited. A failure is told in `problem` or a notice; none is thrown. */
export class Draft<T> {
	readonly #source: DraftSource<T>;
	#base: T | undefined;
	#value: T | undefined;
	/** What was shown before each change, and before each undo; the latest last. */
	#past: T[] = [];
	#future: T[] = [];
	/** The group of the last change: another change of it is no step of its own. */
	#group = "";
	#saving = false;
	/** Was being saved when the connection was lost; the draft may have changed since. */
	#sought: T | undefined;
	#lost = false;
	#problem = "";
	#stored: T | undefined;
	/** False: what the browser keeps is another tab's. */
	#kept: boolean;
	#undoing = Promise.resolve();
	/** Earlier states in the controller, and how many of them have been brought back. */
	#earlier = 0;
	#broughtBack = 0;
	#back = 0;
	#revision = 0;
	readonly state: Store<DraftState<T>>;

	constructor(source: DraftSource<T>) {
		this.#source = source;
		const kept = recall<Kept<T>>(`draft:${source.name}`);
		this.#base = kept?.base;
		this.#value = kept?.value;
		this.#kept = kept !== undefined;
		this.state = new Store(this.#now());
	}

	get #shown(): T | undefined {
		return this.#value ?? this.#stored;
	}

	#now(): DraftState<T> {
		const dirty = this.#value !== undefined && !same(this.#value, this.#stored);
		return {
			stored: this.#stored,
			shown: this.#stored === undefined ? undefined : this.#shown,
			dirty,
			saving: this.#saving,
			lost: this.#lost,
			moved: dirty && this.#base !== undefined && this.#stored !== undefined && !same(this.#base, this.#stored),
			canUndo: this.#past.length > 0 || this.#broughtBack < this.#earlier,
			canRedo: this.#future.length > 0,
			back: dirty ? this.#back : 0,
			problem: this.#problem,
		};
	}

	#show(): void {
		const { dirty } = this.#now();
		if (this.#stored !== undefined && (dirty || this.#kept)) {
			remember(`draft:${this.#source.name}`, dirty ? { base: this.#base, value: this.#value } : undefined);
			this.#kept = dirty;
		}
		this.state.set(this.#now());
	}

	/** Reads what the controller has. Never throws. */
	async load(): Promise<void> {
		try {
			const read = await this.#read();
			this.#problem = "";
			if (this.#sought !== undefined && same(this.#sought, read)) {
				this.#settle(this.#sought, read);
				notify("good", T.draft.arrived);
				return;
			}
			// until now there can only be a recalled one
			if (this.#stored === undefined && !(this.#fits(this.#base, read) && this.#fits(this.#value, read))) this.#forget();
			this.#stored = read;
			if (this.#value !== undefined && same(this.#value, this.#stored)) this.#forget();
		} catch (error) {
			this.#problem = inWords(error);
		} finally {
			this.#show();
		}
	}

	/** The controller has taken `value`, as `read`: what was changed since is a draft of that. */
	#settle(value: T, read: T): void {
		const shown = this.#shown;
		this.#stored = read;
		this.#sought = undefined;
		this.#forget();
		const changed = shown !== undefined && !same(shown, value);
		this.#past = changed ? since(this.#past, value) : [];
		this.#future = changed ? since(this.#future, value) : [];
		if (changed) this.#change(shown);
	}

	#fits(kept: T | undefined, read: T): boolean {
		return kept !== undefined && hasShapeOf(kept, read) && this.#source.fits?.(kept) !== false;
	}

	/** The revision is read first: if it changes in between a write is rejected, and nothing is lost. */
	async #read(): Promise<T> {
		const snapshot = await loadStatus();
		const value = await this.#source.read(snapshot);
		const { revision, earlier } = this.#source;
		this.#revision = snapshot.revisions[revision];
		this.#earlier = earlier === undefined || revision === "settings" ? 0 : snapshot.earlier[revision];
		this.#broughtBack = 0;
		return value;
	}

	/** Reads again if the controller has told that it has another one. */
	async catchUp(): Promise<void> {
		const told = revisions.value?.[this.#source.revision];
		if (told !== undefined && told !== this.#revision && this.#stored !== undefined && !this.#saving) await this.load();
	}

	/** @param group changes with the same name in a row are undone together; "" = each by itself */
	edit(value: T, group = ""): void {
		const last = this.#shown;
		if (last === undefined || same(last, value)) return;
		if (group === "" || group !== this.#group) this.#past = [...this.#past, last].slice(-STEPS_MAX);
		this.#group = group;
		this.#future = [];
		this.#change(value);
	}

	/** Takes the last change back; if none is left in this browser, shows what the controller had before. */
	undo(): Promise<void> {
		// one after the other: answers of the controller may overtake each other
		this.#undoing = this.#undoing.then(() => this.#undoOne());
		return this.#undoing;
	}

	async #undoOne(): Promise<void> {
		const [draft, stored] = [this.#value, this.#stored];
		const last = draft ?? stored;
		const mine = this.#past.pop();
		const back = mine === undefined ? this.#broughtBack + 1 : 0;
		const value = mine ?? (await this.#fetchEarlier(back));
		// read again meanwhile: the answer may count from another state
		if (value !== undefined && draft === this.#value && stored !== this.#stored) return this.#undoOne();
		// an edit made meanwhile stays
		if (value === undefined || last === undefined || draft !== this.#value) return;
		if (back > 0) this.#broughtBack = back;
		this.#future.push(last);
		this.#group = "";
		this.#change(value, back);
	}

	async #fetchEarlier(back: number): Promise<T | undefined> {
		const { earlier } = this.#source;
		if (earlier === undefined || back > this.#earlier) return undefined;
		try {
			return await earlier(back);
		} catch (error) {
			notify("bad", inWords(error));
			return undefined;
		}
	}

	/** Restores what the last undo took away. */
	redo(): void {
		const last = this.#shown;
		const value = this.#future.pop();
		if (value === undefined || last === undefined) return;
		this.#past.push(last);
		this.#group = "";
		this.#change(value);
	}

	#change(value: T, back = 0): void {
		this.#back = back;
		this.#base ??= this.#stored;
		this.#value = value;
		if (same(value, this.#stored)) this.#value = this.#base = undefined;
		this.#problem = "";
		this.#show();
	}

	#forget(): void {
		this.#value = this.#base = undefined;
		this.#lost = false;
		this.#group = "";
	}

	/** Returns to what the controller has; can be undone. */
	discard(): void {
		if (this.#stored !== undefined) this.edit(this.#stored);
		this.#sought = undefined;
		this.#lost = false;
		this.#show();
	}

	/**
	 * Writes the draft and reads again.
	 * @param over also over another client's change; otherwise `moved` says so, and nothing is written
	 * @param again writes once more if the other client has changed something else
	 * @returns true if the controller has taken it
	 */
	async save(over = false, again = true): Promise<boolean> {
		if (over) this.#base = this.#stored;
		const value = this.#value;
		if (value === undefined || this.#saving) return value === undefined;
		if (this.#now().moved) return false;
		this.#problem = this.#source.missing?.(value) ?? "";
		if (this.#problem !== "") {
			this.#show();
			return false;
		}
		this.#saving = true;
		if ((await this.#source.sure?.(value, this.#stored)) === false) {
			this.#saving = false;
			return false;
		}
		// what is typed on while it is written is a step of its own
		this.#group = "";
		this.#show();
		try {
			await this.#source.write(value, this.#revision);
			const read = await this.#read();
			this.#settle(value, read);
			notify("good", same(read, value) ? (this.#source.written?.() ?? T.draft.saved) : T.draft.adjusted);
			return true;
		} catch (error) {
			if (error instanceof ApiError && error.status === 409 && error.code === CHANGED) {
				await this.load();
				this.#saving = false;
				// something beside what one edits here: nothing of it is lost
				return again && !this.#now().moved ? await this.save(over, false) : false;
			}
			this.#problem = inWords(error);
			if (error instanceof LinkError) {
				this.#lost = true;
				this.#sought = value;
				this.#findOut();
			}
			return false;
		} finally {
			this.#saving = false;
			this.#show();
		}
	}

	/** Nothing is sent again by itself: when the controller answers again it is asked what it has. */
	#findOut(): void {
		setTimeout(() => {
			whenLive(async () => {
				await this.load();
				if (this.#problem === "" && this.#sought !== undefined) {
					// what waited in the controller's socket may be taken up only now
					await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
					await this.load();
				}
				if (this.#problem !== "") {
					this.#findOut();
					return;
				}
				this.#lost = false;
				if (this.#sought !== undefined) this.#problem = T.draft.notArrived;
				this.#sought = undefined;
				this.#show();
			});
		}, 1000);
	}
}

/**
 * The draft as it is now. It is read when the component appears, and whenever another client has changed the
 * value.
 */
export function useDraft<T>(draft: Draft<T>): DraftState<T> {
	useEffect(() => {
		void draft.load();
		return revisions.follow(() => void draft.catchUp());
	}, [draft]);
	return useStore(draft.state);
}
