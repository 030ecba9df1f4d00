/** The board's own controls; the contract is in hal/board-controls-port.ts. */
import type { BoardControlsPort } from "../../board-controls-port.js";

const boardControls: BoardControlsPort = Object.freeze({
	areThere: true,

	read(): number {
		return native<number>("xs_esp32_controls_read").call(undefined);
	},

	light(rgb: number): void {
		native("xs_esp32_controls_light").call(undefined, rgb);
	},

	follow(followed: number, inverted: number): void {
		native("xs_esp32_controls_follow").call(undefined, followed, inverted);
	},
});
export default boardControls;
