/** Lists of whole numbers, looked at and written by C: the engine takes thirty times as much. */

import { Text } from "../../modules/text/text.js";

export const {
	/** True if all in a list are whole numbers, 0..most. It may write them anew: no list that is frozen. */
	areWhole,
	/** A list's whole numbers, 0..2^31 - 1, with commas between them; undefined if there is something else in it, or more than 700 characters. */
	ofWholeNumbers,
} = Text;
