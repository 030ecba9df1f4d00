/** Lists of numbers, looked at, rounded and written by C: the engine takes thirty times as much. */

import { Text } from "../../modules/text/text.js";

export const {
	/** A list's whole numbers, 0..2^31 - 1, with commas between them; undefined if there is something else in it, or more than 700 characters. */
	ofWholeNumbers,
	/**
	 * Rounds all numbers in a list, halves up, and clamps them to 0..most.
	 * @returns index of the first value that is no finite number: those behind it are left alone; -1 if there is none
	 */
	roundWithin,
} = Text;
