/** A board that has none; the contract is in hal/ports.ts. */
import type { BoardControlsPort } from "../../ports.js";

const boardControls: BoardControlsPort = Object.freeze({
	areThere: false,
	read: () => -1,
	light() {},
	follow() {},
});
export default boardControls;
