import assert from "node:assert/strict";
import { UpdateProblem } from "../../src/update/rejection.js";
import { anImage } from "../../tools/device/sample-image.js";
import { request } from "../support/api-client.js";
import { OwnerBench } from "../support/owner-bench.js";
import { aSignedImage, RULES, UpdateBench } from "../support/update-bench.js";

const IMAGE = anImage();
const OCTETS = "Content-Type: application/octet-stream";

function upload(bench: UpdateBench, body: Uint8Array | string, ...lines: string[]): string {
	const answer = request({ updater: bench.updater }, "POST", "/ota/update", body, ...lines);
	assert.equal(answer.headers["content-type"], "text/plain");
	return `${answer.status} ${answer.text}`;
}

const FORM = "Content-Type: multipart/form-data; boundary=";
const NOTE = 'Content-Disposition: form-data; name="note"';
const FILE = 'Content-Disposition: form-data; name="update"; filename="fw.bin"';

/** A form of parts, each with its header and what it holds. */
function form(boundary: string, ...parts: (readonly [header: string, content: string | Uint8Array])[]): Buffer {
	const pieces = parts.flatMap(([header, content]) => [`--${boundary}\r\n${header}\r\n\r\n`, content, "\r\n"]);
	return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** How clients write boundary and header of a file; the first four were recorded. */
const CLIENTS: Readonly<Record<string, [parameter: string, header: string]>> = {
	chromium: ["----WebKitFormBoundaryWcN7cOQGlUgRRGtY", `${FILE}\r\n${OCTETS}`],
	curl: ["------------------------5ca6d5b3dbf7215a", `${FILE}\r\n${OCTETS}`],
	"requests of Python": ["32421a58754437be1cd23a6f2196f0f6", FILE],
	"fetch of Node": ["----formdata-undici-054125521021", `${FILE}\r\n${OCTETS}`],
	"HttpClient of .NET": [
		'"5b9c4f0a-2d07-4a43-8d4e-0c6f1f2a3b4c"',
		`${OCTETS}\r\nContent-Disposition: form-data; name=update; filename=fw.bin; filename*=utf-8''fw.bin`,
	],
	OkHttp: ["3f1c8a52-9a0e-4a8e-bb55-8e1cbb1d2a77", `${FILE}\r\n${OCTETS}\r\nContent-Length: ${IMAGE.length}`],
	"one with the longest boundary": ["b".repeat(70), FILE],
};

describe("api/update: openUpload", () => {
	it("installs an image sent as a form, as octets or without a type, and restarts after the answer", () => {
		for (const [body, ...lines] of [[form("x", [FILE, IMAGE]), `${FORM}x`], [IMAGE, OCTETS], [IMAGE]] as [Buffer, string][]) {
			const bench = new UpdateBench();
			assert.equal(upload(bench, body, ...lines), "200 OK");
			assert.deepEqual(bench.firmware.slot, IMAGE);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts], [true, 0]);
			bench.pass(600);
			assert.equal(bench.firmware.restarts, 1);
		}
	});

	it("installs octets whatever parameters stand behind their type", () => {
		for (const type of ["application/octet-stream; charset=binary", "Application/Octet-Stream ;x=y", "application/octet-stream;"])
			assert.equal(upload(new UpdateBench(), IMAGE, `Content-Type: ${type}`), "200 OK", type);
	});

	it("installs the image of a form as clients write it, with a field before it or none", () => {
		for (const [client, [parameter, header]] of Object.entries(CLIENTS))
			for (const before of [[], [[NOTE, "words"] as const]]) {
				const bench = new UpdateBench();
				const body = form(parameter.replaceAll('"', ""), ...before, [header, IMAGE]);
				assert.equal(upload(bench, body, FORM + parameter), "200 OK", client);
				assert.deepEqual(bench.firmware.slot, IMAGE);
			}
	});

	it("installs nothing of a form that lacks any byte at its end but the last line end", () => {
		const whole = form("b", [FILE, IMAGE]);
		for (let missing = 0; missing <= 40; missing++) {
			const bench = new UpdateBench();
			const answer = upload(bench, whole.subarray(0, whole.length - missing), `${FORM}b`);
			assert.match(answer, missing === 0 || missing === 2 ? /^200 OK$/ : /^400 FAIL: invalid form: /, `${missing} missing`);
			bench.pass(4000);
			assert.equal(bench.firmware.restarts, answer === "200 OK" ? 1 : 0);
		}
	});

	it("installs nothing of an upload that breaks off, even just before the last byte", () => {
		for (const [body, type] of [
			[form("b", [FILE, IMAGE]), `${FORM}b`],
			[form("b", [FILE, aSignedImage()]), `${FORM}b`],
			[IMAGE, OCTETS],
		] as const)
			for (let missing = 1; missing <= 20; missing++) {
				const bench = new UpdateBench();
				const { updater } = bench;
				request({ updater }, "POST", "/ota/update", body.subarray(0, -missing), type, `Content-Length: ${body.length}`);
				assert.equal(updater.installDetail, UpdateProblem.BROKEN_OFF);
				bench.pass(4000);
				assert.deepEqual([bench.firmware.activated, bench.firmware.restarts, bench.updating], [false, 0, false]);
			}
	});

	it("neither says OK nor restarts without a good image", () => {
		const followed = "400 FAIL: bytes follow the image: in a form it must be the last field";
		const invalid = "400 FAIL: invalid form: at most 2 KiB and 64 lines come before the image, and the boundary ends it";
		const types = "application/octet-stream, multipart/form-data with a boundary of 1 to 70 characters";
		const unlikeSize = "400 FAIL: image is incomplete, or bytes follow it: get the file again";
		const flipped = Buffer.from(IMAGE);
		flipped[900] ^= 1;
		for (const [body, lines, expected] of [
			["", [OCTETS], "400 FAIL: no image"],
			["", [], "400 FAIL: no image"],
			[form("b", [NOTE, "text"]), [`${FORM}b`], "400 FAIL: no image"],
			[form("b", [FILE, ""]), [`${FORM}b`], "400 FAIL: no image"],
			[form("b"), [`${FORM}b`], "400 FAIL: no image"],
			[form("other", [FILE, IMAGE]), [`${FORM}b`], "400 FAIL: no image"],
			["", [`${FORM}b`], "400 FAIL: no image"],
			["hello", [OCTETS], "400 FAIL: not an image"],
			[form("b", [FILE, "<html>"]), [`${FORM}b`], "400 FAIL: not an image"],
			[form("b", [FILE, IMAGE], [NOTE, "x"]), [`${FORM}b`], followed],
			[form("b", [FILE, IMAGE], [NOTE, "x".repeat(300)]), [`${FORM}b`], followed],
			[form("b", [FILE, IMAGE], [FILE, IMAGE]), [`${FORM}b`], followed],
			[form("b", [FILE, aSignedImage()], [NOTE, "x"]), [`${FORM}b`], followed],
			[form("b", [NOTE, "x".repeat(2048)], [FILE, IMAGE]), [`${FORM}b`], invalid],
			[Buffer.concat([form("b", [FILE, IMAGE]), Buffer.from("epilogue")]), [`${FORM}b`], invalid],
			[Buffer.concat([Buffer.from(`--b\n${FILE}\n\n`), IMAGE, Buffer.from("\n--b--\n")]), [`${FORM}b`], invalid],
			[Buffer.concat([IMAGE, Buffer.alloc(1)]), [], unlikeSize],
			[Buffer.concat([IMAGE, Buffer.from("more")]), [], unlikeSize],
			[Buffer.concat([IMAGE, Buffer.alloc(250)]), [OCTETS], unlikeSize],
			[Buffer.concat([IMAGE, Buffer.alloc(300)]), [OCTETS], unlikeSize],
			[Buffer.concat([IMAGE, Buffer.alloc(320)]), [OCTETS], followed],
			[IMAGE.subarray(0, IMAGE.length - 1), [OCTETS], unlikeSize],
			[IMAGE.subarray(0, 1500), [OCTETS], unlikeSize],
			[IMAGE.subarray(0, 1504), [OCTETS], "400 FAIL: image is incomplete"],
			[IMAGE.subarray(0, 500), [OCTETS], "400 FAIL: image is incomplete"],
			[flipped, [OCTETS], "400 FAIL: image is damaged"],
			[anImage({ chipId: 13 }), [OCTETS], "400 FAIL: image is for another board"],
			[anImage({ version: "v0.0.1" }), [OCTETS], "400 FAIL: image is too old"],
			[Buffer.alloc(RULES.maxBytes + 1), [OCTETS], "413 FAIL: too large"],
			[anImage({ segments: [RULES.maxBytes] }).subarray(0, 2000), [OCTETS], "413 FAIL: too large"],
			...[
				"application/json",
				"multipart/form-data",
				"multipart/form-datas; boundary=b",
				"application/octet-streams",
				"application/octet-stream charset=binary",
				"x".repeat(64),
			].map((type) => [IMAGE, [`Content-Type: ${type}`], `415 FAIL: unsupported media type: ${type}; allowed: ${types}`]),
		] as [string | Buffer, string[], string][]) {
			const bench = new UpdateBench();
			assert.equal(upload(bench, body, ...lines), expected);
			bench.pass(4000);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts, bench.updating], [false, 0, false], expected);
			assert.equal(upload(bench, IMAGE, OCTETS), "200 OK", `a good one after ${expected}`);
		}
	});

	it("rejects while something else goes on, and while the car forbids it", () => {
		const bench = new UpdateBench();
		bench.car.vehicle.motion = "moves";
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: the car is moving");
		assert.equal(upload(bench, IMAGE, OCTETS, "Expect: 100-continue"), "409 FAIL: the car is moving");
		bench.car.vehicle.motion = "stands";
		bench.updater.beginUpload(0);
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: busy");
		assert.equal(bench.updater.phase, "uploading", "the other one goes on");
		bench.updater.abortUpload("");
		bench.firmware.pendingVerify = true;
		assert.equal(upload(bench, IMAGE, OCTETS), "409 FAIL: the running firmware is still being tested");
	});

	it("installs nothing if the upload began before the owner set a password", () => {
		const owner = new OwnerBench();
		for (const key of [undefined, owner.set("correct horse")]) {
			const bench = new UpdateBench();
			const { updater } = bench;
			const write = updater.writeUpload.bind(updater);
			updater.writeUpload = (...of) => {
				if (bench.firmware.slot.length === 0) owner.set("another password");
				return write(...of);
			};
			const lines = [OCTETS, ...(key === undefined ? [] : [`Authorization: Bearer ${key}`])];
			const { status, json } = request({ updater, owner: owner.owner }, "POST", "/ota/update", IMAGE, ...lines);
			assert.deepEqual([status, json()["error"]], [401, "password required"]);
			bench.pass(4000);
			assert.deepEqual([bench.firmware.activated, bench.firmware.restarts, bench.updating], [false, 0, false]);
			assert.equal(updater.phase, "idle");
		}
	});

	it("answers FAIL when the slot can't be written", () => {
		for (const failing of ["begin", "write", "complete"] as const) {
			const bench = new UpdateBench();
			bench.firmware.failing = failing;
			assert.equal(upload(bench, IMAGE, OCTETS), "500 FAIL");
			assert.equal(bench.updater.phase, "idle");
		}
	});

	it("rejects another site's page", () => {
		const bench = new UpdateBench();
		const answer = request({ updater: bench.updater }, "POST", "/ota/update", IMAGE, "Origin: http://evil.example");
		assert.deepEqual([answer.status, bench.firmware.begun], [403, 0]);
	});
});
