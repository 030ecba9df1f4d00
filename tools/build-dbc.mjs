/**
 * Builds the DBC files that the firmware serves: `node tools/build-dbc.mjs`. Each has exactly the signals of a network that the firmware
 * knows: those of the signal catalogue, and frames that the sources of the catalogue do not have. Writes
 * `src/api/generated/dbc-assets.ts` (not committed), compressed.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogueTexts } from "./build-catalogue.mjs";
import { asset, head, writeModule } from "./generated.mjs";

const ROOT = new URL("../", import.meta.url);
const TARGET = fileURLToPath(new URL("src/api/generated/dbc-assets.ts", ROOT));
const NETWORKS = /** @type {const} */ (["pq", "mqb"]);
const EXTENDED = 0x80000000;
const FRAME_BYTES = 8;

/** What we send, and the coupling's report on MQB, as texts of the catalogue. Sources: src/coupling/status-broadcast.ts, src/can/layouts/mqb.ts. */
const STATUS_ID = 0x6b0;
const STATUS =
	"6b0 OpenCoupling_Status|Standalone,8,8|Engagement_Raw,16,8|Lock_Asked,24,8,,1,0,%|Speed,32,8,,1,0,km/h|Mode_Override,40,8|Mode,48,8|Pedal,56,8,,1,0,%|";
const OWN = {
	pq: [STATUS],
	mqb: ["118 Allrad_03|Engagement,16,8,,0.4,0,%|Drive_Profile,24,8|", STATUS],
};

/** Lie on bits of another signal of their frame, in the sources too: readers that are strict refuse the whole file. The firmware decodes them. */
export const LEFT_OUT = ["GK1_Counter_Trailer", "PLA_Bremsmoment"];

/** The modes by their numbers, as frame 0x6B0 has them. */
function modes() {
	const source = readFileSync(new URL("src/lock/modes.ts", ROOT), "utf8");
	const list = /export const MODES = Object\.freeze\(\[([^\]]*)\]/.exec(source)?.[1];
	if (list === undefined) throw new Error("src/lock/modes.ts: no list of modes");
	return [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
}

/** A number without an exponent, which not every reader takes. @param {string} text */
const decimal = (text) => (text.includes("e") ? Number(text).toFixed(20).replace(/0+$/, "") : text);

/** A signal in the words of a DBC file. @param {(number: string) => string} unitOf */
function signalLine(text, unitOf) {
	const [name, start, length, flags = "", factor = "1", offset = "0", unit = ""] = text.split(",");
	const multiplex = /M|m\d+/.exec(flags)?.[0];
	const order = flags.includes("B") ? 0 : 1;
	const sign = flags.includes("S") ? "-" : "+";
	const selected = multiplex === undefined ? "" : ` ${multiplex}`;
	return ` SG_ ${name}${selected} : ${start}|${length}@${order}${sign} (${decimal(factor)},${decimal(offset)}) [0|0] "${unitOf(unit)}" Vector__XXX`;
}

function frameLines(text, unitOf) {
	const [frame, ...signals] = text.split("|").slice(0, -1);
	const [id, name] = frame.split(" ");
	const number = Number.parseInt(id, 16) + (id.endsWith("x") ? EXTENDED : 0);
	const shown = signals.filter((signal) => !LEFT_OUT.includes(signal.slice(0, signal.indexOf(","))));
	return [`BO_ ${number} ${name}: ${FRAME_BYTES} Vector__XXX`, ...shown.map((signal) => signalLine(signal, unitOf)), ""];
}

/** The DBC file of a network. @param {"pq" | "mqb"} network @throws {Error} as catalogueTexts */
export function dbcText(network) {
	const { units, networks } = catalogueTexts();
	const values = modes().map((mode, number) => `${number} "${mode}"`);
	const lines = [
		'VERSION "OpenCoupling"',
		...["", "NS_ :", "", "BS_:", "", "BU_:", ""],
		...networks[NETWORKS.indexOf(network)].flatMap((text) => frameLines(text, (unit) => units[Number(unit)])),
		...OWN[network].flatMap((text) => frameLines(text, (unit) => unit)),
		`VAL_ ${STATUS_ID} Mode ${values.join(" ")} ;`,
	];
	return `${lines.join("\n")}\n`;
}

/**
 * Writes the files unless they are up to date.
 * @returns {Promise<{ path: string, bytes: number, built: boolean }>} bytes: what they take of flash @throws {Error} as dbcText
 */
export async function buildDbc() {
	let bytes = 0;
	const members = [];
	for (const network of NETWORKS) {
		const path = `opencoupling-${network}.dbc`;
		const file = await asset({ path, contentType: "text/plain", contents: dbcText(network) });
		bytes += file.bytes;
		members.push(`\t${network}: ${file.source},\n`);
	}
	const imports =
		'import { type Asset, bytesOfBase64 } from "../../http/asset.js";\nimport type { Network } from "../../can/catalogue.js";\n\n';
	const table = `/** By network; \`path\` is the file's name. */\nexport const DBC_FILES: Readonly<Record<Network, Asset>> = Object.freeze({\n${members.join("")}});\n`;
	return { path: TARGET, bytes, built: writeModule(TARGET, `${head("build-dbc.mjs")}${imports}${table}`) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { path, bytes, built } = await buildDbc();
	console.log(`${path}: ${bytes} bytes${built ? "" : ", up to date"}`);
}
