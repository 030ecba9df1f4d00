/**
 * The text of frames for TypeScript, written in C straight from the gateway's memory; `README.md` has the
 * formats. Methods contain nothing but the native call, so that XS can put the C function in their place;
 * only constructors allocate. Wrong types throw TypeError, values out of range RangeError; nothing has
 * changed then.
 */
import type { FrameLinesPort, FrameTextPort, TextPort } from "../../hal/ports.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** The CAN view as JSON: `FrameTextPort.view` and `TextPort` say what is taken and given. */
export class CanView extends Native("xs_can_view_destructor") implements TextPort {
	/**
	 * @throws {RangeError} a value out of range, no memory
	 * @throws {Error} no gateway is running
	 */
	constructor(generation: number, rows: number, decodedLimit: number, rawLimit: number) {
		super();
		native("xs_can_view_construct").call(this, generation, rows, decodedLimit, rawLimit);
	}

	write(into: Uint8Array, start: number, end: number): number {
		return native("xs_can_view_write").call(this, into, start, end);
	}

	get isComplete(): boolean {
		return native("xs_can_view_get_is_complete").call(this);
	}
}

/** The signal catalogue as a DBC file: `FrameTextPort.dbcFile` and `TextPort` say what is taken and given. */
export class DbcFile extends Native("xs_dbc_file_destructor") implements TextPort {
	/** @throws {RangeError} another network, no memory */
	constructor(network: number, reportBytes = 8) {
		super();
		native("xs_dbc_file_construct").call(this, network, reportBytes);
	}

	write(into: Uint8Array, start: number, end: number): number {
		return native("xs_dbc_file_write").call(this, into, start, end);
	}

	get isComplete(): boolean {
		return native("xs_dbc_file_get_is_complete").call(this);
	}
}

/** The lines of recent frames: `FrameTextPort.lines` and `FrameLinesPort` say what is taken and given. */
export class FrameLines extends Native("xs_frame_lines_destructor") implements FrameLinesPort {
	/**
	 * Begins with the next frame that passes.
	 * @throws {RangeError} a value out of range, no memory
	 * @throws {Error} no gateway is running
	 */
	constructor(format: number, rows: number) {
		super();
		native("xs_frame_lines_construct").call(this, format, rows);
	}

	lookBack(windowMs: number): number {
		return native("xs_frame_lines_look_back").call(this, windowMs);
	}

	write(into: Uint8Array, start: number, end: number): number {
		return native("xs_frame_lines_write").call(this, into, start, end);
	}

	get isComplete(): boolean {
		return native("xs_frame_lines_get_is_complete").call(this);
	}

	get cursor(): number {
		return native("xs_frame_lines_get_cursor").call(this);
	}

	get overwritten(): number {
		return native("xs_frame_lines_get_overwritten").call(this);
	}
}

/** All three, as the application gets them. */
export const FRAME_TEXT: FrameTextPort = Object.freeze({
	lines: (format: number, rows: number) => new FrameLines(format, rows),
	view: (generation: number, rows: number, decodedLimit: number, rawLimit: number) =>
		new CanView(generation, rows, decodedLimit, rawLimit),
	dbcFile: (network: number, reportBytes: number) => new DbcFile(network, reportBytes),
});
