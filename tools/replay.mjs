// Plays recorded drives through the controller in virtual time and compares what it asks for with what is
// stored, frame by frame.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setupApart } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const BUILT = `${root}build/host/opencoupling`;
const GENERATIONS = [1, 2, 4, 5, 51, 53];
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "MAP", "SPEED", "THROTTLE", "RPM"];

const USAGE = `usage: npm run replay -- [FOLDER] [--accept] [--rows N]
       npm run replay -- [FOLDER] --add FILE --generation N [OPTION]...
Plays recorded drives through the controller and compares what it asks for with what is stored.

  FOLDER              default test/drives
  --accept            stores what is asked now
  --rows N            differences to show of each drive (20)
  --add FILE          adds a recording (test/README.md names the forms) without what tells whose car it was
  --generation N      ${GENERATIONS.join(", ")}
  --mode MODE         ${MODES.join(", ")} (default MAP)
  --chassis NAME      what the recording calls the chassis bus, and
  --coupling NAME     the coupling bus, such as slcan0 or 1 (default: the first two names in order)
  --without-feedback  controls also while nothing reports on the coupling bus

Exit code 1: something is asked for otherwise than stored, or nothing is stored.`;

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
			"without-feedback": { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		console.log(USAGE);
		process.exit(0);
	}
	if (positionals.length > 1) throw new Error(`${positionals[1]}: one folder is allowed`);
	if (!/^\d+$/.test(values.rows)) throw new Error(`--rows ${values.rows}: a number is allowed`);
	const generation = Number(values.generation);
	if (values.add !== undefined && !GENERATIONS.includes(generation))
		throw new Error(`--generation ${values.generation ?? "is missing"}: ${GENERATIONS.join(", ")} are allowed`);
	if (!MODES.includes(values.mode)) throw new Error(`--mode ${values.mode}: ${MODES.join(", ")} are allowed`);
	return { ...values, generation, rows: Number(values.rows), folder: positionals[0] ?? `${root}test/drives` };
}

const say = (/** @type {string} */ line) => console.log(`  ${line}`);

/** @param {ReturnType<typeof asked>} options */
async function replay(options) {
	const { folder, accept, rows, add, generation, mode, chassis, coupling } = options;
	const program = process.env.OPENCOUPLING_HOST ?? BUILT;
	if (program === BUILT) await setupApart();
	const drives = await importTypeScript("replay/drives.ts");

	const withoutFeedback = options["without-feedback"];
	const adding = { generation, mode, withoutFeedback, names: { chassis, coupling }, progress: say, say };
	const plays = add === undefined ? drives.playsIn(folder) : [await drives.addDrive(folder, add, adding)];
	let same = true;
	for (const play of plays) same = (await compare(drives, play, program, { isNew: accept || add !== undefined, rows })) && same;
	return same;
}

/**
 * Plays one drive, and says what came of it.
 * @param {any} drives of tools/replay/drives.ts
 * @param {any} play of it
 * @param {string} program
 * @param {{ isNew: boolean, rows: number }} options isNew: stores what is asked now
 * @returns {Promise<boolean>} true: it is what is stored
 */
async function compare(drives, play, program, { isNew, rows }) {
	return drives.withFolder(async (/** @type {string} */ temporary) => {
		const now = join(temporary, "asked.log");
		const { read, frames } = await drives.play(play, program, now, say);
		const asked = `${play.name}: ${frames} frames asked for`;
		const isStored = drives.isStored(play);
		const [count, lines] = isStored ? await drives.table(drives.differencesOf(play, now), rows) : [0, []];
		if (isNew) {
			await drives.store(play, now);
			console.log(`${asked}, stored`);
			for (const line of drives.missingFor(play, read)) say(line);
		} else if (!isStored) console.log(`${asked}, nothing is stored: --accept stores them`);
		else console.log(count === 0 ? `${asked}, as stored` : `${asked}, ${count} differences`);
		if (count > 0) console.log(lines.join("\n"));
		return isNew || (isStored && count === 0);
	});
}

try {
	process.exitCode = (await replay(asked())) ? 0 : 1;
} catch (error) {
	if (error.message !== "") console.error(`replay: ${error.message}`);
	process.exitCode = 2;
}
