/** A board that has none; the contract is in hal/board-controls-port.ts. */
import type { BoardControlsPort } from "../../board-controls-port.js";

const boardControls: BoardControlsPort = Object.freeze({
	areThere: false,
	read: () => -1,
	light() {},
	follow() {},
});
export default boardControls;
