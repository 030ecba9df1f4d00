/** Moddable's own modules that only the boards have, as far as hal/esp32/io uses them. */

/** `modules/network/wifi/esp32`. */
declare module "wifi" {
	type Event = "gotIP" | "lostIP" | "connect" | "disconnect" | "station_connect" | "station_disconnect";
	export default class WiFi {
		/** @param onNotify `reason` comes with "disconnect"; -1: the password was rejected */
		constructor(options: undefined, onNotify: (event: Event, reason?: number) => void);
		static set mode(mode: number);
		/** @throws {Error} text too long, password shorter than 8 bytes */
		static connect(options: { ssid: string; password?: string }): void;
		static disconnect(): void;
		/** @throws {Error} as `connect` */
		static accessPoint(options: { ssid: string; password?: string; station: boolean }): void;
		static readonly Mode: { readonly none: 0; readonly station: 1; readonly accessPoint: 2 };
		static readonly disconnected: "disconnect";
	}
}

/** `modules/io/socket/lwip`. */
declare module "embedded:io/socket/udp" {
	export interface UDPOptions {
		port: number;
		/** `packets` can be read now. */
		onReadable?: (this: UDP, packets: number) => void;
	}
	export default class UDP {
		/** @throws {Error} no memory, port taken */
		constructor(options: UDPOptions);
		read(): (ArrayBuffer & { readonly address: string; readonly port: number }) | undefined;
		/** @throws {Error} it can't be sent now */
		write(data: ArrayBuffer | Uint8Array, address: string, port: number): void;
		/** Joins a multicast group. */
		add(group: string): void;
		close(): void;
	}
}
