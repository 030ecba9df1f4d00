/** The other end of updates: a server with a release, which may be wrong in what it says. */
import type { KeyObject } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anImage, sha256 } from "./sample-image.js";
import { signManifest } from "./sign.mjs";

export class ReleaseServer {
	image = anImage({ version: "v0.2.0", segments: [600, 40, 60_000] });
	/** What the manifest says beside what fits the image. */
	announces: object = {};
	/** Signs the manifest. */
	key: KeyObject | undefined;
	/** Sent in its place. */
	manifestBytes: Uint8Array | undefined;
	/** Sent in the place of all of the manifest's answer, its head too. */
	manifestAnswer: string | undefined;
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();

	private constructor() {
		this.#server = createServer((request, response) => {
			if (request.url === "/version.json") this.#sendManifest(response);
			else if (request.url === "/v0.2.0/fw.bin") response.end(this.image);
			else response.writeHead(404).end("none");
		});
		this.#server.on("connection", (socket) => {
			this.#sockets.add(socket);
			socket.on("close", () => this.#sockets.delete(socket));
		});
	}

	static async start(): Promise<ReleaseServer> {
		const server = new ReleaseServer();
		await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
		return server;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/version.json`;
	}

	close(): void {
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
	}

	#sendManifest(response: ServerResponse): void {
		if (this.manifestAnswer !== undefined) response.socket?.end(this.manifestAnswer);
		else response.end(this.manifestBytes ?? this.#manifest());
	}

	#manifest(): string {
		const { image } = this;
		const manifest = {
			version: "v0.2.0",
			firmware: "fw.bin",
			sha256: sha256(image),
			size: image.length,
			board: "opencoupling-host",
			...this.announces,
		};
		return JSON.stringify({ ...(this.key === undefined ? manifest : signManifest(manifest, this.key)), notes: "of a test" });
	}
}
