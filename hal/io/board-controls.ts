/**
 * The board's own controls; the contract is in hal/ports.ts, the work in hal/host/io/board.c and
 * hal/esp32/board_c6.c.
 */
import type { BoardControlsPort } from "../ports.js";

const boardControls: BoardControlsPort = Object.freeze({
	areThere: true,

	read(): number {
		return native<number>("xs_hal_controls_read").call(this);
	},

	light(rgb: number): void {
		native("xs_hal_controls_light").call(this, rgb);
	},

	follow(followed: number, inverted: number): void {
		native("xs_hal_controls_follow").call(this, followed, inverted);
	},
});
export default boardControls;
