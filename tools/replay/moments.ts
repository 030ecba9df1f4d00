/** Candump logs of any size, moment by moment: what is compared are the frames that have the same time. */
import { linesOf } from "./source.js";

/** A frame as the log has it. */
export interface LoggedFrame {
	readonly bus: string;
	readonly id: string;
	readonly data: string;
}

/** All frames of one time, in their order. */
export interface Moment {
	/** As the log has it, in parentheses: later ones are greater as texts. */
	readonly time: string;
	readonly frames: readonly LoggedFrame[];
}

const LINE = /^(\(\S+\)) (can[01]) (\w+)#(.*)$/;

/** @param bytes of a log whose time never runs back; lines that are no frames are passed over */
async function* moments(bytes: AsyncIterable<Buffer>): AsyncGenerator<Moment> {
	let time = "";
	let frames: LoggedFrame[] = [];
	for await (const { lines } of linesOf(bytes))
		for (const line of lines) {
			const match = LINE.exec(line);
			if (match === null) continue;
			if (match[1] !== time) {
				if (frames.length > 0) yield { time, frames };
				time = match[1]!;
				frames = [];
			}
			frames.push({ bus: match[2]!, id: match[3]!, data: match[4]! });
		}
	if (frames.length > 0) yield { time, frames };
}

/** Both logs side by side: at each time what the one has and what the other has. */
export async function* together(
	one: AsyncIterable<Buffer>,
	other: AsyncIterable<Buffer>,
): AsyncGenerator<[time: string, one: readonly LoggedFrame[], other: readonly LoggedFrame[]]> {
	const [ones, others] = [moments(one), moments(other)];
	let [a, b] = [await ones.next(), await others.next()];
	while (!a.done || !b.done) {
		const isFirst = !a.done && (b.done || a.value.time <= b.value.time);
		const isOther = !b.done && (a.done || b.value.time <= a.value.time);
		const time = isFirst ? a.value.time : b.value!.time;
		yield [time, isFirst ? a.value.frames : [], isOther ? b.value!.frames : []];
		if (isFirst) a = await ones.next();
		if (isOther) b = await others.next();
	}
}
