#!/usr/bin/env node
// Stands in for build/host/opencoupling in the tests of `npm start`: listens on both bus sockets, forwards
// every record to the other one, answers GET /api/status. `--http 1` plays a port in use, FAKE_DIES_AFTER_MS
// a crash, FAKE_ENDS_AFTER_MS a controller that takes its time to end, FAKE_GENERATION the coupling that the
// driver has chosen.
import { rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";

const value = (name) => process.argv[process.argv.indexOf(name) + 1];
if (value("--http") === "1") {
	console.error("opencoupling: port 1 is in use");
	process.exit(3);
}
const replaying = process.argv.includes("--replay");
const paths = replaying ? [] : ["--chassis", "--coupling"].map((name) => value(name).replace(/^unix:/, ""));
const peers = [];
for (const [bus, path] of paths.entries()) {
	const server = createServer((socket) => {
		peers[bus] = socket;
		socket.on("data", (chunk) => peers[1 - bus]?.write(chunk));
		socket.on("error", () => {});
		socket.on("close", () => {
			peers[bus] = undefined;
		});
	});
	server.listen(path);
}
const telemetry = { speed: 0, throttle: 0, rpm: 0, spec: 0, act: 0 };
const couplingGeneration = Number(process.env.FAKE_GENERATION ?? 0);
const http = createHttpServer((_request, response) =>
	response.end(JSON.stringify({ mode: "MAP", effectiveMode: "STOCK", couplingGeneration, telemetry })),
);
http.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${http.address().port}`));
process.on("SIGTERM", () => {
	console.log("fake controller is asked to end");
	setTimeout(
		() => {
			for (const path of paths) rmSync(path, { force: true });
			console.log("fake controller ends");
			process.exit(0);
		},
		Number(process.env.FAKE_ENDS_AFTER_MS ?? 0),
	);
});
if (process.env.FAKE_DIES_AFTER_MS) setTimeout(() => process.exit(101), Number(process.env.FAKE_DIES_AFTER_MS));
if (replaying) setTimeout(() => process.exit(0), 300);
