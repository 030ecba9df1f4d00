// A DBC file of the signal catalogue, written independently of modules/frame-text/dbc_file.c, which a test
// compares with it.
import type { Network } from "../../src/can/catalogue.js";
import { catalogueTexts, modeValues, shortFrames } from "../../tools/build-catalogue.mjs";

const EXTENDED = 0x80000000;
/**
 * The first two lie on bits of another signal of their frame, in the sources too: strict readers reject the
 * whole file. The third is there for one of 16 values of its selector: they reject the frame. The firmware
 * decodes them.
 */
export const LEFT_OUT = ["GK1_Counter_Trailer", "PLA_Bremsmoment", "GK1_Charisma_Mode"];

/** Bytes of the frames that have fewer than 8. */
const SHORT: Readonly<Record<Network, ReadonlyMap<number, number>>> = {
	pq: new Map(shortFrames("src/can/dbc/pq.dbc")),
	mqb: new Map(shortFrames("src/can/dbc/mqb.dbc")),
};

function signalLine(text: string, units: readonly string[]): string {
	const [name, start, length, flags = "", factor = "1", offset = "0", unit = "0"] = text.split(",");
	const multiplex = /M|m\d+/.exec(flags)?.[0];
	const order = flags.includes("B") ? 0 : 1;
	const sign = flags.includes("S") ? "-" : "+";
	const selected = multiplex === undefined ? "" : ` ${multiplex}`;
	return ` SG_ ${name}${selected} : ${start}|${length}@${order}${sign} (${factor},${offset}) [0|0] "${units[Number(unit)]}" Vector__XXX`;
}

function frameLines(network: Network, text: string, units: readonly string[]): string[] {
	const [frame = "", ...signals] = text.split("|").slice(0, -1);
	const [id = "", name] = frame.split(" ");
	const number = Number.parseInt(id, 16) + (id.endsWith("x") ? EXTENDED : 0);
	const shown = signals.filter((signal) => !LEFT_OUT.includes(signal.slice(0, signal.indexOf(","))));
	const length = SHORT[network].get(number) ?? 8;
	return [`BO_ ${number} ${name}: ${length} Vector__XXX`, ...shown.map((signal) => signalLine(signal, units)), ""];
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
	return `${[...lines, ...frames.flatMap((text) => frameLines(network, text, units))].join("\n")}\n${modeValues()}`;
}
