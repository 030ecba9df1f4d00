/** Lists of numbers, read, looked at, rounded and written by C: the engine takes thirty times as much. */

import { Text } from "../../modules/text/text.js";

export const {
	/**
	 * What stands in the line `bytes[start, end)` between its tabs, without blanks and a carriage return at its end: numbers, and of what is none the
	 * first 16 characters. [] of an empty line. @param most columns that are read @throws {RangeError} not within the bytes
	 */
	columns: columnsOf,
	/** A list's whole numbers, 0..2^31 - 1, with commas between them; undefined if there is something else in it, or more than 700 characters. */
	ofWholeNumbers,
	/**
	 * Rounds all numbers in a list, halves up, and clamps them to 0..most.
	 * @returns index of the first value that is no finite number: those behind it are left alone; -1 if there is none
	 */
	roundWithin,
} = Text;
