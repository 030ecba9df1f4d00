/**
 * The half of the boards' build that needs no ESP-IDF, where Moddable's SDK is: resolved, compiled and linked
 * for ROM by its own tools.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BOARDS, DeviceError, findBoard, partitionTable, sdkEnvironment } from "../../../tools/device/boards.mjs";
import { estimateImage } from "../../../tools/device/c-half.mjs";
import { type Linked, linkJavaScript } from "../../../tools/device/javascript-half.mjs";
import { skip } from "../../support/skip.js";

/** Of a slot, by the cautious end of the estimate. */
const FREE_BYTES_MIN = 48 * 1024;
/** 4 bytes of RAM each. */
const ALIASES_MAX = 512;

/** Each is harmless for the reason given. */
const EXPLAINED = [
	// rows of frozen tables, which nobody writes to: each only has an alias
	/ (ALIASES|COUPLINGS|DUMP_FORMATS|IDENTITY|MEASURED|MESSAGES2|MQB_SIGNALS|NRC_NAMES|PQ_SIGNALS|REPEATED|TESTERS|UDS_ROUTES)[[.][\w[\].]+: not frozen$/,
	/ (KWP_FORMULAS|KWP_VALUES|MODE_ALIASES)[[.][\w[\].]+: not frozen$/,
	// generator functions, whose prototype nobody uses
	/\.prototype: not frozen$/,
	// esbuild makes a `var` of each constant of a module, and nothing is assigned to it
	/: no const$/,
];

describe("tools/device/javascript-half.mjs", function () {
	this.timeout(300_000);

	before(function () {
		try {
			sdkEnvironment();
		} catch (error) {
			if (!(error instanceof DeviceError)) throw error;
			skip(this, error.message);
		}
	});

	for (const name of BOARDS)
		describe(name, () => {
			let linked: Linked;
			before(async () => {
				linked = await linkJavaScript(name);
			});

			it("links", () => {
				console.log(`      ${linked.bytes} bytes, ${linked.slots} slots`);
				assert.ok(linked.aliases <= ALIASES_MAX, `${linked.aliases} aliases`);
			});

			it("links for xsbug too, as it stands in the sources, and fits its slot", async () => {
				const debug = await linkJavaScript(name, { debug: true });
				assert.ok(debug.bytes > linked.bytes + 50_000, `${debug.bytes} bytes`);
				const whole = estimateImage(name, debug.bytes, true);
				if (whole) assert.ok(whole.most < whole.slotBytes, `${whole.most} bytes`);
				const table = partitionTable(findBoard(name).folder, true);
				assert.equal(debug.partitions, readFileSync(`${findBoard(name).folder}/${table}`, "utf8"));
				const map = JSON.parse(readFileSync("build/device/core.js.map", "utf8")) as { sources: string[] };
				assert.ok(map.sources.some((path) => path.endsWith("src/lock/lock-core.ts")));
			});

			it("has nothing in flash that must lie at a multiple of its size", () => {
				assert.equal(linked.wideArrays, 0);
			});

			it("leaves 48 KB of its slot free, by the larger of two complete links", () => {
				const whole = estimateImage(name, linked.bytes);
				if (whole) assert.ok(whole.most + FREE_BYTES_MIN <= whole.slotBytes, `${whole.slotBytes - whole.most} free`);
				else console.log(`        skipped: ${name === "c6" ? "our C can't be compiled here" : "nobody has linked its firmware"}`);
			});

			it("finds a C function for each native", () => {
				assert.deepEqual(linked.missingNatives, []);
			});

			it("hands the compiler's options over as they are", () => {
				assert.match(linked.compilerOptions, /^@\S+\/compiler-options$/);
				const options = readFileSync(linked.compilerOptions.slice(1), "utf8").split("\n");
				assert.equal(options[0], `-DOPENCOUPLING_BOARD=gateway_board_${name}`);
				assert.equal(options.filter((option) => option.startsWith("-I/")).length, 6);
				for (const option of ["-msave-restore", "-malign-data=natural"])
					assert.equal(options.includes(option), name !== "t2can", "which only GCC for RISC-V knows");
			});

			it("takes our partitions as they are", () => {
				assert.equal(linked.partitions, readFileSync(`${findBoard(name).folder}/partitions.csv`, "utf8"));
			});

			it("takes every line of our sdkconfig", () => {
				const ours = readFileSync(`${findBoard(name).folder}/sdkconfig/sdkconfig.defaults`, "utf8").split("\n");
				const merged = linked.sdkconfig.split("\n");
				for (const line of ours.filter((line) => line !== "" && !line.startsWith("#"))) {
					const [option, value] = line.split("=") as [string, string];
					const all = merged.filter((other) => other.startsWith(`${option}=`));
					// a "=n" over another value of the SDK is written as "="
					assert.ok(all.length === 1 && (all[0] === line || (value === "n" && all[0] === `${option}=`)), `${line}: ${all}`);
				}
			});

			it("has ESP-IDF's components linked that our C uses", () => {
				for (const component of [
					"app_update",
					"esp_hal_twai",
					"esp_driver_gpio",
					"esp_driver_ledc",
					"esp_timer",
					name === "emulator" ? "esp_eth" : "esp_wifi",
					"nvs_flash",
				])
					assert.ok(linked.components.includes(component), component);
				assert.equal(linked.components.includes("esp_driver_spi"), name === "t2can");
				assert.equal(linked.components.includes("esp_driver_uart"), name === "emulator");
			});
		});

	it("links the image of a fresh clone, whatever its folder is called", () => {
		const clone = mkdtempSync(join(tmpdir(), "Clone-Test-"));
		const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" }).split(
			"\n",
		);
		for (const file of files) if (file !== "" && existsSync(file)) cpSync(file, join(clone, file));
		// the dependencies as if just installed; each a link of its own, so that nothing can be written or
		// deleted through them
		mkdirSync(join(clone, "node_modules"));
		for (const name of readdirSync("node_modules"))
			if (name !== ".package-lock.json") symlinkSync(resolve("node_modules", name), join(clone, "node_modules", name));
		cpSync("node_modules/.package-lock.json", join(clone, "node_modules/.package-lock.json"));
		const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/device.mjs", "link", "c6"], {
			cwd: clone,
			encoding: "utf8",
		});
		rmSync(clone, { recursive: true });
		assert.deepEqual([status, stderr], [0, ""]);
		assert.match(
			stdout,
			/^c6: \d{6} bytes of flash for JavaScript, .*\nc6: \d{6} bytes of our C; \d{7} to \d{7} in all, .* free\n$/,
		);
	});

	it("gives no warning that is not explained", async () => {
		const { warnings } = await linkJavaScript("c6", { readable: true });
		assert.ok(warnings.length > 0);
		assert.deepEqual(
			warnings.filter((line) => !EXPLAINED.some((explained) => explained.test(line))),
			[],
		);
	});
});
