/**
 * What the driver is changing and has not saved: beside what the controller has, kept across a reload, with
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
import { Steps } from "./steps";
import { Store } from "./store";

/** Before it is said that a save has not arrived, ms. */
const SECOND_LOOK_MS = 1000;

/** Of the interface: what the change was made from is not active any more. */
const CHANGED = "changed meanwhile";

/** What components see of a draft. */
export interface DraftState<T> {
	/** What the controller has, as last read; undefined before that. */
	readonly stored: T | undefined;
	/** What is shown: the draft, else the stored one. */
	readonly shown: T | undefined;
	/** The draft differs from the stored one. */
	readonly dirty: boolean;
	readonly saving: boolean;
	/** The connection was lost in a save: whether it has arrived is not known yet. */
	readonly lost: boolean;
	/** The controller's values have changed since the draft was begun. */
	readonly moved: boolean;
	readonly canUndo: boolean;
	readonly canRedo: boolean;
	/** What is shown was in the controller this many changes ago, 0 = it was not brought back. */
	readonly back: number;
	/** Why it could not be read or saved, "" = nothing is wrong. */
	readonly problem: string;
}

/** Where a draft's value comes from and goes to. */
export interface DraftSource<T> {
	/** Name in the browser's storage. */
	readonly name: string;
	readonly revision: keyof Revisions;
	/** @param snapshot just read */
	readonly read: (snapshot: Status) => Promise<T> | T;
	/** @param revision of what the change was made from */
	readonly write: (value: T, revision: number) => Promise<unknown>;
	/** Reads what the controller had a number of changes ago; absent: nothing older than the draft can be had. */
	readonly earlier?: (back: number) => Promise<T>;
	/** What is said when it was written; absent: that it is saved. */
	readonly written?: () => string;
	/** Asks the driver where a change needs a second thought. @returns false if it is not to be written */
	readonly sure?: (value: T, stored: T | undefined) => Promise<boolean>;
	/** Whether a kept draft of the stored value's shape can be shown; absent: it can. */
	readonly fits?: (value: T) => boolean;
}

interface Kept<T> {
	readonly base: T;
	readonly value: T;
}

/** Whether two values are the same as JSON: names in the same order, too. */
export function same(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * One value as it is edited: components follow `state` and call the rest. A failure is told in `problem` or a
 * notice; none is thrown.
 */
export class Draft<T> {
	readonly #source: DraftSource<T>;
	#base: T | undefined;
	#value: T | undefined;
	readonly #steps = new Steps<T>();
	#saving = false;
	/**
	 * What was being saved when the connection was lost, until it is known whether it has arrived. The draft
	 * may be another by then.
	 */
	#sought: T | undefined;
	#lost = false;
	#problem = "";
	#stored: T | undefined;
	/** What the browser keeps was written or recalled here: it is not another tab's. */
	#kept: boolean;
	#undoing = Promise.resolve();
	/** Earlier states in the controller, and how many of them have been brought back. */
	#earlier = 0;
	#broughtBack = 0;
	#back = 0;
	/** Of `#stored`. */
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

	#now(): DraftState<T> {
		const shown = this.#value ?? this.#stored;
		const dirty = this.#value !== undefined && !same(this.#value, this.#stored);
		return {
			stored: this.#stored,
			shown: this.#stored === undefined ? undefined : shown,
			dirty,
			saving: this.#saving,
			lost: this.#lost,
			moved: dirty && this.#base !== undefined && this.#stored !== undefined && !same(this.#base, this.#stored),
			canUndo: this.#steps.canUndo || this.#broughtBack < this.#earlier,
			canRedo: this.#steps.canRedo,
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
		const shown = this.#value ?? this.#stored;
		this.#stored = read;
		this.#sought = undefined;
		this.#forget();
		if (shown === undefined || same(shown, value)) this.#steps.clear();
		else {
			this.#steps.keepSince(value);
			this.#change(shown);
		}
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
		const last = this.#value ?? this.#stored;
		if (last === undefined || same(last, value)) return;
		this.#steps.add(last, group);
		this.#change(value);
	}

	/**
	 * Takes the last change back; if there is none left in this browser, shows what the controller had
	 * before. Never throws.
	 */
	undo(): Promise<void> {
		// one after the other: answers of the controller may overtake each other
		this.#undoing = this.#undoing.then(() => this.#undoOne());
		return this.#undoing;
	}

	async #undoOne(): Promise<void> {
		const [draft, stored] = [this.#value, this.#stored];
		const last = draft ?? stored;
		const mine = this.#steps.undo();
		const back = mine === undefined ? this.#broughtBack + 1 : 0;
		const value = mine ?? (await this.#fetchEarlier(back));
		// read again meanwhile: the answer may count from another state
		if (value !== undefined && draft === this.#value && stored !== this.#stored) return this.#undoOne();
		// an edit made meanwhile stays
		if (value === undefined || last === undefined || draft !== this.#value) return;
		if (back > 0) this.#broughtBack = back;
		this.#steps.undone(last);
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

	/** Brings back what the last undo took away; does nothing if there is nothing to bring back. */
	redo(): void {
		const last = this.#value ?? this.#stored;
		const value = last && this.#steps.redo(last);
		if (value !== undefined) this.#change(value);
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
		this.#steps.endGroup();
	}

	/** Goes back to what the controller has; can be undone. */
	discard(): void {
		if (this.#stored !== undefined) this.edit(this.#stored);
		this.#sought = undefined;
		this.#lost = false;
		this.#show();
	}

	/**
	 * Writes the draft and reads again.
	 * @param over also over what somebody else has changed meanwhile; otherwise `moved` then says so, and
	 * nothing is written
	 * @param again the draft alone is written once more if what has changed is none of it
	 * @returns true if the controller has taken it
	 */
	async save(over = false, again = true): Promise<boolean> {
		if (over) this.#base = this.#stored;
		const value = this.#value;
		if (value === undefined || this.#saving) return value === undefined;
		if (this.#now().moved) return false;
		this.#saving = true;
		if ((await this.#source.sure?.(value, this.#stored)) === false) {
			this.#saving = false;
			return false;
		}
		this.#problem = "";
		// what is typed on while it is written is a step of its own
		this.#steps.endGroup();
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

/** Reads the controller's values when the component appears, and whenever somebody has changed them. */
export function useLoaded(draft: { load(): Promise<void>; catchUp(): Promise<void> }): void {
	useEffect(() => {
		void draft.load();
		return revisions.follow(() => void draft.catchUp());
	}, [draft]);
}
