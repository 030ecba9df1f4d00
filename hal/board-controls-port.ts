/**
 * A board's own controls: buttons, brake and handbrake with their outputs, an RGB LED. Types only.
 */

/** Bits of inputs and outputs. */
export type ControlBits = number;

/** None of these calls throws or allocates. */
export interface BoardControlsPort {
	/** The board has them. If not `read` says -1, and nothing else does anything. */
	readonly areThere: boolean;
	/**
	 * What is pressed or active now: 1 mode button, 2 external button, 4 brake, 8 handbrake. Two readings 10
	 * ms apart agree in it.
	 * @returns -1 if nobody has looked for 100 ms
	 */
	read(): ControlBits;
	/** Shows a colour, 0xRRGGBB, 0 = dark. It goes out after 1 s unless it is set again. */
	light(rgb: number): void;
	/**
	 * Has outputs follow their inputs, without the script, from two readings of each on. The others are low,
	 * whatever is inverted.
	 * @param followed bits of outputs, 4 brake, 8 handbrake @param inverted those that are the other way
	 * round
	 */
	follow(followed: ControlBits, inverted: ControlBits): void;
}
