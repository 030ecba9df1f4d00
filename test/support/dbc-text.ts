// A DBC file of the signal catalogue, written independently of modules/frame-text/dbc_file.c, which a test compares with it.
import type { Network } from "../../src/can/catalogue.js";
import { catalogueTexts, modeValues } from "../../tools/build-catalogue.mjs";

const EXTENDED = 0x80000000;
/** Lie on bits of another signal of their frame, in the sources too: readers that are strict refuse the whole file. The firmware decodes them. */
export const LEFT_OUT = ["GK1_Counter_Trailer", "PLA_Bremsmoment"];

function signalLine(text: string, units: readonly string[]): string {
	const [name, start, length, flags = "", factor = "1", offset = "0", unit = "0"] = text.split(",");
	const multiplex = /M|m\d+/.exec(flags)?.[0];
	const order = flags.includes("B") ? 0 : 1;
	const sign = flags.includes("S") ? "-" : "+";
	const selected = multiplex === undefined ? "" : ` ${multiplex}`;
	return ` SG_ ${name}${selected} : ${start}|${length}@${order}${sign} (${factor},${offset}) [0|0] "${units[Number(unit)]}" Vector__XXX`;
}

function frameLines(text: string, units: readonly string[]): string[] {
	const [frame = "", ...signals] = text.split("|").slice(0, -1);
	const [id = "", name] = frame.split(" ");
	const number = Number.parseInt(id, 16) + (id.endsWith("x") ? EXTENDED : 0);
	const shown = signals.filter((signal) => !LEFT_OUT.includes(signal.slice(0, signal.indexOf(","))));
	return [`BO_ ${number} ${name}: 8 Vector__XXX`, ...shown.map((signal) => signalLine(signal, units)), ""];
}

/** Reading the sources takes a second. */
let texts: ReturnType<typeof catalogueTexts> | undefined;

/** The file of a network. */
export function dbcText(network: Network): string {
	texts ??= catalogueTexts();
	const { units, networks, own } = texts;
	const number = network === "mqb" ? 1 : 0;
	const frames = [...networks[number]!, ...own[number]!];
	const lines = ['VERSION "OpenCoupling"', "", "NS_ :", "", "BS_:", "", "BU_:", ""];
	return `${[...lines, ...frames.flatMap((text) => frameLines(text, units))].join("\n")}\n${modeValues()}`;
}
