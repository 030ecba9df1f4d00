// Plays recorded drives through the controller in virtual time and compares what it asks for with what is stored, frame by frame.
// Usage: npm run replay -- [FOLDER] [--accept] [--rows N]
//        npm run replay -- [FOLDER] --add FILE --generation 1|2|4|5 [--mode MODE] [--chassis NAME] [--coupling NAME]
//   FOLDER: default test/drives. --accept: stores what is asked now. --add: adds a recording (candump .log, SavvyCAN .csv, Vector .asc,
//   PCAN .trc), without what tells whose car it was, played with this coupling and mode (MAP), and stores what is asked.
//   --rows: differences to show of each drive (20).
//   --chassis, --coupling: what the recording calls the two buses, such as slcan0 or 1, where it is not can0 and can1, 0 and 1.
// Exit code 1: something is asked for otherwise than stored, or nothing is stored.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const BUILT = `${root}build/host/opencoupling`;
const GENERATIONS = [1, 2, 4, 5];
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "MAP", "SPEED", "THROTTLE", "RPM"];

function asked() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			accept: { type: "boolean", default: false },
			rows: { type: "string", default: "20" },
			add: { type: "string" },
			generation: { type: "string" },
			mode: { type: "string", default: "MAP" },
			chassis: { type: "string" },
			coupling: { type: "string" },
		},
	});
	if (positionals.length > 1) throw new Error(`${positionals[1]}: one folder is allowed`);
	if (!/^\d+$/.test(values.rows)) throw new Error(`--rows ${values.rows}: a number is allowed`);
	const generation = Number(values.generation);
	if (values.add !== undefined && !GENERATIONS.includes(generation))
		throw new Error(`--generation ${values.generation ?? "is missing"}: ${GENERATIONS.join(", ")} are allowed`);
	if (!MODES.includes(values.mode)) throw new Error(`--mode ${values.mode}: ${MODES.join(", ")} are allowed`);
	return { ...values, generation, rows: Number(values.rows), folder: positionals[0] ?? `${root}test/drives` };
}

/** @param {ReturnType<typeof asked>} options */
async function replay({ folder, accept, rows, add, generation, mode, chassis, coupling }) {
	const program = process.env.OPENCOUPLING_HOST ?? BUILT;
	if (program === BUILT) await setup();
	mkdirSync(`${root}build`, { recursive: true });
	const outfile = `${root}build/replay.mjs`;
	const entryPoints = [`${root}tools/replay/drives.ts`];
	await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
	const drives = await import(pathToFileURL(outfile).href);

	const plays =
		add === undefined ? drives.playsIn(folder) : [drives.addDrive(folder, add, generation, mode, { chassis, coupling })];
	let same = true;
	for (const play of plays) {
		const now = await drives.play(play, program);
		const frames = `${play.name}: ${now.split("\n").length - 1} frames asked for`;
		const before = drives.stored(play);
		const found = before === undefined ? [] : drives.differences(before, now);
		if (accept || add !== undefined) {
			drives.store(play, now);
			console.log(`${frames}, stored`);
			if (now === "")
				console.log(
					drives.hasReports(play)
						? "  The coupling got what the car sent: are generation and buses (--chassis, --coupling) right?"
						: '  Nothing reports on the coupling bus: play it with "controlWithoutFeedback": true in its settings.json, and --accept.',
				);
		} else if (before === undefined) console.log(`${frames}, nothing is stored: --accept stores them`);
		else console.log(found.length === 0 ? `${frames}, as stored` : `${frames}, ${found.length} differences`);
		if (found.length > 0) console.log(drives.table(found, rows).join("\n"));
		same &&= accept || add !== undefined || (before !== undefined && found.length === 0);
	}
	return same;
}

try {
	process.exitCode = (await replay(asked())) ? 0 : 1;
} catch (error) {
	console.error(`replay: ${error.message}`);
	process.exitCode = 2;
}
