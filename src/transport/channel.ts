/** What a transport protocol needs of a bus, and what it tells its user. */

/** Sends one frame of up to 8 bytes. @returns false if the queue is full: the frame is offered again */
export type SendFrame = (id: number, extended: boolean, data: Uint8Array) => boolean;

/** Why a message was not sent or received; what the wire calls it in `docs/api.md`, "Diagnosis". */
export type TransportFailure =
	| "timeout"
	| "send_failed"
	| "payload_too_large"
	| "bad_sequence"
	| "bad_tp20_frame"
	| "ack_timeout"
	| "setup_send_failed"
	| "setup_timeout"
	| "setup_negative"
	| "bad_setup_response"
	| "params_send_failed"
	| "params_timeout"
	| "bad_params_response";

/** Told of what happens. Called from `receive` and `poll` only; it may start the next message at once. */
export interface TransportUser {
	/** The last frame of a message was handed over. */
	sent(): void;
	/** The first of several frames of a message has come: from here on `received` or `failed` follows. */
	receiving(): void;
	/** A whole message; the array is the user's to keep. */
	received(message: Uint8Array): void;
	/** What was under way is dropped. */
	failed(reason: TransportFailure): void;
}
