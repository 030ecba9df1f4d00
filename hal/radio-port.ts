/**
 * The Wi-Fi radio: an access point that is always on, and a station beside it. State is polled. Types only.
 */

/** A network that a scan has found. */
export interface FoundNetwork {
	/** 0 to 32 bytes of any value; 0 = it hides its name. */
	readonly name: Uint8Array;
	readonly strengthDbm: number;
	readonly isOpen: boolean;
}

/** The only radio that there is. Addresses are numeric, IPv4; names of networks have 1..32 bytes. */
export interface RadioPort {
	/** Address of the access point, "" while it is off. */
	readonly accessPointIp: string;
	/** Address of the station, "" while it is not connected. */
	readonly stationIp: string;
	/**
	 * Why the last attempt or link ended: "wrong password", "no such network", "link lost"; "" while it
	 * connects or is connected.
	 */
	readonly stationProblem: string;
	/**
	 * Starts the access point, or restarts it: its clients are disconnected.
	 * @param password 8..63 bytes, "" = open
	 * @throws {Error} not now
	 */
	startAccessPoint(ssid: string, password: string): void;
	/**
	 * Begins to connect; an attempt or a link before it is dropped.
	 * @param password 8..63 bytes, a key of 64 hexadecimal digits, or "" = open @throws {Error} not now
	 */
	connect(ssid: string, password: string): void;
	/** Idempotent. */
	disconnect(): void;
	/**
	 * Begins to look for networks on all channels, for at most 4 s. Clients of the access point stay
	 * connected. @throws {Error} not now: it connects, is off, or looks already
	 */
	startScan(): void;
	/** What was found, told once; undefined while it looks, and if nobody asked. */
	takeFound(): readonly FoundNetwork[] | undefined;
	/** Switches the radio off, until `startAccessPoint`. */
	stop(): void;
}
