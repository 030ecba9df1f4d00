/**
 * The HTTP server's shell: moves bytes between sockets and `http/connection`. It decides only which connection gets a place: `fair-share.ts`.
 * One thing is done in a turn of its own: a client is let in, or a connection gets its time-outs looked at, its input read and a piece of its
 * answer sent. Between two turns whatever else is due gets its own, the control loop first of all. A socket that tells of bytes or of room gets
 * the same done at once, beside that: sockets that tell it in one event, eight at the most, are not spread over turns.
 *
 * A place is a connection's state with its buffer; places are made when first needed, kept and reused, until the heap has no room for a request.
 * Clients beyond the last place wait, unread, until one is free; an idle connection is closed for them, or one of an address that has more than
 * theirs, as it is where a request finds no room.
 */

import type { ListenerConstructor, ListenerSocket, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/socket-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { ConnectionContext } from "../http/connection-context.js";
import { InputBuffers } from "../http/input-buffer.js";
import { HTTP_LIMITS, type HttpLimits, PIECE_BYTES } from "../http/limits.js";
import { PHASE } from "../http/phase.js";
import { roomOf } from "../http/room.js";
import type { Router } from "../http/router.js";
import { countOf, greediestFor, hasWaited, idlestFor, longestHeld, slowestBody, type Waiter } from "./fair-share.js";
import { Place } from "./place.js";

/** What the server needs: sockets, a clock, room on the heap, and whom to ask and tell. */
export interface HttpServiceOptions {
	readonly Listener: ListenerConstructor;
	readonly TCP: TcpConstructor;
	/** 1..65535; 0 = any free one. */
	readonly port: number;
	/** ms, monotonic, may wrap at 2^31 or 2^32. */
	readonly clock: { readonly ticks: number };
	/** Calls back after so many ms, and after everything that is due before. */
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly router: Router;
	/** True if the heap has so much free, if need be after a collection. */
	readonly makeRoom: (slots: number, chunkBytes: number) => boolean;
	/** HTTP_LIMITS unless given. */
	readonly limits?: HttpLimits;
	/** Told of errors in handlers and of sockets that fail in our hands. */
	readonly onFault?: (error: unknown) => void;
	/** Told the port each time it begins to listen. */
	readonly onListening?: (port: number) => void;
}

/**
 * Until it tries again to listen: on a board it can't while no network is up, which takes a moment (hal/esp32/README.md, "What Moddable's modules do
 * differently"). Chosen: twice would keep the driver from the page for 10 s; half would only be tried in vain more often.
 */
export const LISTEN_AGAIN_MS = 5000;
/**
 * How often a connection that only waits for its client gets a turn for its time-outs, which are seconds. Chosen: the shortest, the 5 s of a header,
 * become 5.5 s at the most. Twice makes 6 s of them, half gives all eight connections twice as many turns in which nothing happens.
 */
const QUIET_LOOK_MS = 500;

/**
 * Input that one connection has looked at in a turn: then the control loop gets its own, and the others. Chosen: a form with an image takes 0.58 of
 * a million instructions, the worst one 0.93. Half would be twice as many turns for an image.
 */
const TURN_BYTES = 2048;

/** A connection that has no place yet: it is accepted, since only then can be seen whose it is. */
interface Waiting extends Waiter {
	readonly from: TcpSocket;
}

/** One listener with all its clients; it listens again by itself, LISTEN_AGAIN_MS after it was lost. */
export class HttpService {
	readonly #options: HttpServiceOptions;
	readonly #limits: HttpLimits;
	readonly #context: ConnectionContext;
	/** undefined = it could not listen so far. */
	#listener: ListenerSocket | undefined;
	#listenMs: number;
	/** When connections that wait for their clients had their time-outs looked at. */
	#quietMs: number;
	/** A failure to listen was told. */
	#failing = false;
	#places: Place[] = [];
	/** Places that have a socket, and connections that have got one since the start. */
	#open = 0;
	accepted = 0;
	readonly #piece = new Uint8Array(PIECE_BYTES);
	readonly #callbacks = this.#makeCallbacks();
	/** In the listener's queue. */
	#waiting = 0;
	#room: readonly Waiting[] = [];
	/** Of those in sight, how many are to be asked yet whether there is a place for them by now, and whether one more may come in sight. */
	#unasked = 0;
	#mayLetIn = false;
	/** The last turn was for one who waits: the next is for a place, so that neither holds the other up. */
	#hasAdmitted = false;
	#closed = false;
	readonly #onTurn = (): void => this.#turn();
	#turnIsDue = false;
	/** Index of the place that sent last. */
	#lastTurn = 0;

	/** Starts to listen; if that fails it is told, and tried again from `tick`: whatever else the controller does must not depend on it. */
	constructor(options: HttpServiceOptions) {
		this.#options = options;
		this.#limits = options.limits ?? HTTP_LIMITS;
		this.#context = {
			limits: this.#limits,
			router: options.router,
			buffers: new InputBuffers(this.#limits),
			slots: { free: this.#limits.bodiesAtOnce },
			crowded: false,
			...roomOf(options.makeRoom),
			makeWay: (connection) => this.#makeWay(connection),
			onFault: (error) => options.onFault?.(error),
			onLate: () => this.#lookAtAnswers(),
		};
		this.#listenMs = this.#quietMs = options.clock.ticks;
		this.#listen();
	}

	/** Port it listens on, where the platform can tell; else the one asked for. */
	get port(): number {
		return this.#listener?.port ?? this.#options.port;
	}

	/** Connections that are open now. */
	get connections(): number {
		return this.#open;
	}

	/** Time-outs, answers that come later, waiting clients. Call every 50 to 250 ms. */
	tick(nowMs: number): void {
		if (this.#listener === undefined && !this.#closed && elapsedMs(this.#listenMs, nowMs) >= LISTEN_AGAIN_MS) {
			this.#listenMs = nowMs;
			this.#listen();
		}
		if (this.#open > 0) this.#lookAtPlaces(nowMs);
		// some may still be unasked: they would be for ever if each tick began anew
		if ((this.#waiting > 0 || this.#room.length > 0) && !this.#mayAdmit) this.#admitSoon();
	}

	/** Gives a turn to each that may have something to do: a time-out or an event each, not all of them before the next control tick. */
	#lookAtPlaces(nowMs: number): void {
		const looksAtQuiet = elapsedMs(this.#quietMs, nowMs) >= QUIET_LOOK_MS;
		if (looksAtQuiet) this.#quietMs = nowMs;
		let hasMore = false;
		let bodyWaits = false;
		for (const place of this.#places) {
			const { connection } = place;
			if (place.socket !== undefined && (looksAtQuiet || !connection.isQuiet())) place.hasMore = true;
			hasMore ||= place.hasMore;
			bodyWaits ||= connection.phase === PHASE.WAITING;
		}
		// while a body waits for memory the slowest of those that have some gives way
		if (bodyWaits) slowestBody(this.#places, this.#limits, nowMs)?.giveWay(nowMs);
		if (hasMore) this.#takeTurn();
	}

	/** Closes all connections and stops listening. Idempotent. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#waiting = this.#unasked = 0;
		this.#listener?.close();
		for (const { from } of this.#room) from.close();
		this.#room = [];
		for (const place of this.#places) this.#free(place);
	}

	#listen(): void {
		const { Listener, onListening, port } = this.#options;
		try {
			this.#listener = new Listener({ port, onReadable: (count) => this.#onWaiting(count) });
		} catch (error) {
			if (!this.#failing) this.#context.onFault(error);
			this.#failing = true;
			return;
		}
		this.#failing = false;
		onListening?.(this.port);
	}

	#onWaiting(count: number): void {
		this.#waiting = Math.max(this.#waiting, 0) + count;
		this.#mayLetIn = true;
		this.#admit();
	}

	/** There may be a place for those who wait. */
	#admitSoon(): void {
		this.#unasked = this.#room.length;
		this.#mayLetIn = this.#waiting > 0;
		if (this.#mayAdmit) this.#takeTurn();
	}

	get #mayAdmit(): boolean {
		return this.#unasked > 0 || this.#mayLetIn;
	}

	/** Gives a place to one of those who wait, or lets one come in sight: each in a turn of his own. */
	#admit(): void {
		if (this.#unasked > 0) this.#seat(this.#room[this.#room.length - this.#unasked--]);
		else this.#mayLetIn = this.#letIn();
		this.#context.crowded = this.#waiting > 0 || this.#room.length > 0;
		if (this.#mayAdmit) this.#takeTurn();
		if (!this.#context.crowded) return;
		for (const { connection, address } of this.#places) connection.isOnlyOne = countOf(this.#places, address) === 1;
	}

	/** The next one out of the listener's queue. @returns true if there may be one more */
	#letIn(): boolean {
		if (this.#waiting === 0 || !this.#hasRoomForOne()) return false;
		const from = this.#listener?.read();
		this.#waiting = from === undefined ? 0 : this.#waiting - 1;
		if (from === undefined) return false;
		const one = { from, address: from.remoteAddress ?? "", sinceMs: this.#options.clock.ticks };
		this.#room = [...this.#room, one];
		this.#seat(one);
		return this.#waiting > 0;
	}

	#seat(one: Waiting): void {
		const place = this.#findPlace(one);
		if (place === undefined) return;
		this.#room = this.#room.filter((other) => other !== one);
		this.#accept(place, one);
	}

	/** Whether one more may come in sight; if need be for one that has long waited behind connections of its own, and is turned away. */
	#hasRoomForOne(): boolean {
		if (this.#room.length < this.#limits.waitingConnections) return true;
		const nowMs = this.#options.clock.ticks;
		const away = this.#room.find((one) => hasWaited(one, this.#room, this.#places, this.#limits, nowMs));
		this.#room = this.#room.filter((one) => one !== away);
		away?.from.close();
		return away !== undefined;
	}

	/**
	 * A free place, a new one, that of the connection that has been idle longest, or too slow, one of who has more than his share, or, for a client
	 * that has none and has waited, the one that was held for longest.
	 */
	#findPlace({ address, sinceMs }: Waiting): Place | undefined {
		const free = this.#placeOf(undefined);
		if (free !== undefined) return free;
		if (this.#places.length < this.#limits.connections) {
			const place = new Place(this.#context);
			this.#places.push(place);
			return place;
		}
		const nowMs = this.#options.clock.ticks;
		const hasWaitedInVain = elapsedMs(sinceMs, nowMs) >= this.#limits.waitMs && countOf(this.#places, address) === 0;
		const place =
			idlestFor(address, this.#places, this.#limits, nowMs) ??
			greediestFor(address, this.#places) ??
			(hasWaitedInVain ? longestHeld(this.#places, this.#limits, nowMs) : undefined);
		if (place !== undefined) this.#free(place);
		return place;
	}

	/**
	 * Makes room on the heap for a connection that waits for some: forgets the places that are free, or else that of who has more than his share. It is
	 * asked again in a turn of its own. @returns false: there is none to forget, and no body that gives way if it takes its time
	 */
	#makeWay(connection: object): boolean {
		const places = this.#places;
		const place = places.find((one) => one.connection === connection) as Place;
		if (this.#placeOf(undefined) === undefined) {
			// the client has its connection already: the other keeps as many
			const greediest = greediestFor(place.address, places, 1);
			if (greediest === undefined)
				return places.some((one) => one !== place && one.connection.collectingMs(this.#options.clock.ticks) >= 0);
			this.#free(greediest);
		}
		this.#places = places.filter(({ socket }) => socket !== undefined);
		place.hasMore = true;
		this.#takeTurn();
		return true;
	}

	#accept(place: Place, { from, address }: Waiting): void {
		place.readableBytes = place.writableBytes = 0;
		place.address = address;
		place.connection.open(this.#options.clock.ticks);
		try {
			place.socket = new this.#options.TCP({ from, nodelay: true, ...this.#callbacks });
			this.#open++;
			this.accepted++;
		} catch (error) {
			// the peer may have gone while it waited
			place.connection.close();
			this.#context.onFault(error);
		}
	}

	/** One set for all sockets: closures of their own would take 300 of the heap's 4608 slots. */
	#makeCallbacks(): Omit<TcpOptions, "from"> {
		const service = this;
		return {
			onReadable(byteLength) {
				const place = service.#placeOf(this);
				if (place === undefined) return;
				place.readableBytes = byteLength;
				// else its next turn is due already
				if (!place.connection.isPaused) service.#pump(place);
			},
			onWritable(byteLength) {
				const place = service.#placeOf(this);
				if (place === undefined) return;
				place.writableBytes = byteLength;
				const { connection } = place;
				if (connection.isPaused) return;
				// a stream with nothing to say is asked again when the server looks at its time-outs
				if (connection.hasOutput || (connection.phase !== PHASE.READING && connection.phase !== PHASE.SENDING))
					service.#pump(place);
			},
			onError() {
				const place = service.#placeOf(this);
				if (place !== undefined) service.#free(place);
				service.#admitSoon();
			},
		};
	}

	/** @param socket undefined: a free one is looked for @returns undefined for a socket that we have closed */
	#placeOf(socket: TcpSocket | undefined): Place | undefined {
		return this.#places.find((place) => place.socket === socket);
	}

	#free(place: Place): void {
		const socket = place.socket;
		if (socket !== undefined) this.#open--;
		place.socket = undefined;
		place.hasMore = false;
		place.connection.close();
		try {
			socket?.close();
		} catch (error) {
			this.#context.onFault(error);
		}
	}

	/** Moves bytes in, and one piece out. */
	#pump(place: Place): void {
		const { connection } = place;
		const nowMs = this.#options.clock.ticks;
		place.hasMore = false;
		try {
			let left = connection.beginTurn(nowMs) ? 0 : TURN_BYTES;
			while (left > 0 && place.readableBytes > 0) {
				const length = place.read(left, nowMs);
				if (length === 0) break;
				left -= length;
			}
			const hasWritten = place.write(this.#piece, nowMs);
			// an answer that has been sent makes room for input that waits
			const mayRead = connection.isPaused || (place.readableBytes > 0 && (hasWritten || left <= 0));
			// a piece costs much the same however short it is: with less room than for a whole one its socket tells when there is more
			place.hasMore ||= mayRead || (hasWritten && connection.hasOutput && place.writableBytes >= PIECE_BYTES);
		} catch (error) {
			// a socket that fails in our hands is as good as gone
			this.#context.onFault(error);
			this.#free(place);
		}
		if (place.socket !== undefined && connection.phase === PHASE.CLOSED) this.#free(place);
		if (place.socket === undefined) this.#admitSoon();
		if (place.hasMore) this.#takeTurn();
	}

	/** One of the answers that come later is there. */
	#lookAtAnswers(): void {
		for (const place of this.#places) if (place.connection.phase === PHASE.ANSWERING) place.hasMore = true;
		this.#takeTurn();
	}

	#takeTurn(): void {
		if (this.#turnIsDue || this.#closed) return;
		this.#turnIsDue = true;
		this.#options.later(this.#onTurn, 0);
	}

	#turn(): void {
		this.#turnIsDue = false;
		const place = this.#mayAdmit && !this.#hasAdmitted ? undefined : this.#nextPlace();
		this.#hasAdmitted = place === undefined;
		if (place !== undefined) {
			place.connection.tick(this.#options.clock.ticks);
			this.#pump(place);
		} else if (this.#mayAdmit) this.#admit();
		if (this.#mayAdmit || this.#places.some(({ hasMore }) => hasMore)) this.#takeTurn();
	}

	/** The next one in the row that wants a turn. */
	#nextPlace(): Place | undefined {
		const count = this.#places.length;
		for (let i = 1; i <= count; i++) {
			const index = (this.#lastTurn + i) % count;
			const place = this.#places[index];
			if (!place.hasMore || place.socket === undefined) continue;
			this.#lastTurn = index;
			return place;
		}
		return undefined;
	}
}
