/** A transport protocol's bus and user. */

/** Longest message that is received, bytes. Source: docs/control-and-can.md 5.4. */
export const RESPONSE_MAX = 256;

/** Sends one frame of up to 8 bytes. @returns false if the queue is full: the frame is offered again */
export type SendFrame = (id: number, extended: boolean, data: Uint8Array) => boolean;

/** As in `docs/api.md`, "Diagnosis". */
export const TRANSPORT_FAILURES = Object.freeze([
	"timeout",
	"send_failed",
	"payload_too_large",
	"bad_sequence",
	"bad_tp20_frame",
	"ack_timeout",
	"setup_send_failed",
	"setup_timeout",
	"setup_negative",
	"bad_setup_response",
	"params_send_failed",
	"params_timeout",
	"bad_params_response",
] as const);
/** One of them. */
export type TransportFailure = (typeof TRANSPORT_FAILURES)[number];

/** Called from `receive` and `poll` only; it may start the next message at once. */
export interface TransportUser {
	/** The last frame was handed over. */
	sent(): void;
	/** The first of several frames has come; `received` or `failed` follows. */
	receiving(): void;
	/** The array is the user's to keep. */
	received(message: Uint8Array): void;
	/** The message is dropped. */
	failed(reason: TransportFailure): void;
}
