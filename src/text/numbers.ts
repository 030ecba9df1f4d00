/** Lists of numbers, read, looked at, rounded and written by C: the engine takes thirty times as much. */

import { Text } from "../../modules/text/text.js";

export const {
	/**
	 * What stands in the line `bytes[start, end)` between its tabs, without blanks and a carriage return at its end: numbers, and of what is none the
	 * first 16 characters. [] of an empty line. @param most columns that are read @throws {RangeError} not within the bytes
	 */
	columns: columnsOf,
} = Text;
