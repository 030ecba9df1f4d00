/** The board's own controls, by lines on standard input and output (README.md); the contract is in hal/board-controls-port.ts. */
import type { BoardControlsPort } from "../../board-controls-port.js";

const boardControls: BoardControlsPort = Object.freeze({
	areThere: true,

	read(): number {
		return native<number>("host_controls_read").call(this);
	},

	light(rgb: number): void {
		native("host_controls_light").call(this, rgb);
	},

	follow(followed: number, inverted: number): void {
		native("host_controls_follow").call(this, followed, inverted);
	},
});
export default boardControls;
