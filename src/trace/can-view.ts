/** What the CAN view needs beyond a request: the gateway's memory, and where the frames of the catalogue stand in it. */

import type { TracePort } from "../../hal/ports.js";
import { networkOf } from "../can/catalogue.js";
import { FrameDirectory } from "./frame-directory.js";

export class CanView {
	readonly port: TracePort;
	#directory: FrameDirectory | undefined = undefined;

	constructor(port: TracePort) {
		this.port = port;
	}

	/** The directory of a generation's network, up to date. It is made when first asked for and for each other network. */
	directory(generation: number): FrameDirectory {
		const network = networkOf(generation);
		let directory = this.#directory;
		if (directory?.network !== network) {
			directory = new FrameDirectory(this.port, network);
			this.#directory = directory;
		}
		directory.update();
		return directory;
	}
}
