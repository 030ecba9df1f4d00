/** What a control unit may do wrong, for tests and for who wants to see it on the page. */
export interface ControlUnitFaults {
	/** Answers this much later, ms. */
	lateMs: number;
	/** Says "response pending" this long before it answers, each half second, ms. */
	pendingMs: number;
	/** Answers every request with this negative code, -1 = as it should. */
	negativeCode: number;
	/** From this frame of an answer on it is silent (1 = the second), -1 = never. */
	silentFrom: number;
	/** This frame of an answer carries a wrong sequence number, -1 = none. */
	wrongSequenceAt: number;
	/** Does not say a word. */
	silent: boolean;
	/** Asks for so many frames between two flow controls, and so much time between them. */
	blockSize: number;
	separationMs: number;
}

export const noFaults = (): ControlUnitFaults => ({
	lateMs: 0,
	pendingMs: 0,
	negativeCode: -1,
	silentFrom: -1,
	wrongSequenceAt: -1,
	silent: false,
	blockSize: 0,
	separationMs: 0,
});
