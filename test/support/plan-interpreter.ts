/**
 * A second, deliberately simple reading of the frame plan format in `modules/can-gateway/README.md`, one step
 * at a time and with no thought of speed. It is the oracle for the C core (differential fuzzing) and lets
 * tests in Node see what a plan does to a frame. It knows no leases, buses' states or queues: after `commit`
 * the plan stays active.
 */

/** Identifier flags, as in SocketCAN. */
export const EXTENDED = 0x80000000;
export const REMOTE = 0x40000000;

const HEADER_BYTES = 12;
const COUNTER_BYTES = 4;
const DATA_ID_BYTES = 16;
const RULE_BYTES = 44;
const MARK_BYTES = 8;
const FIELD_BYTES = 8;
const FULL_FACTOR = 25600;

interface Counter {
	initial: number;
	step: number;
	wrapAbove: number;
	wrapTo: number;
}

interface Operation {
	op: number;
	a: number;
	b: number;
}

interface ChecksumStep {
	kind: number;
	target: number;
	byteMask: number;
	dataId: number;
	position: number;
	verify: boolean;
}

interface Rule {
	id: number;
	bus: number;
	/** Of a plan that generates; period 0 = such frames of the chassis pass. */
	phaseMs: number;
	periodMs: number;
	group: number;
	minDlc: number;
	dlcOut: number;
	operations: Operation[];
	steps: ChecksumStep[];
	marks: Mark[];
	fields: Field[];
}

interface Field {
	start: number;
	length: number;
	step: number;
	low: number;
	span: number;
}

/** What was sent last with an identifier, and whether it was other than what had come. */
interface Sent {
	data: Uint8Array;
	ours: boolean;
}

interface Mark {
	at: number;
	mask: number;
	first: number;
	last: number;
}

interface Plan {
	counterSet: number;
	generates: boolean;
	crc: { polynomial: number; initial: number; finalXor: number };
	counters: Counter[];
	dataIds: Uint8Array[];
	rules: Rule[];
}

function demand(condition: boolean, what: string): void {
	if (!condition) throw new RangeError(`plan: ${what}`);
}

/** Parses and validates. @throws {RangeError} saying what is wrong. */
function parse(bytes: Uint8Array): Plan {
	demand(bytes.length >= HEADER_BYTES, "shorter than its header");
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const counterCount = bytes[5];
	const dataIdCount = bytes[6];
	const ruleCount = bytes[7];
	demand(bytes[0] === 2, "format");
	demand(counterCount <= 32, "counterCount");
	demand(dataIdCount <= 16, "dataIdCount");
	demand(ruleCount <= 48, "ruleCount");
	const generates = bytes[8] === 1;
	demand(bytes[8] <= 1, "kind");
	const markCount = bytes[9];
	demand(markCount <= 64, "markCount");
	const fieldCount = bytes[10];
	demand(fieldCount <= 8, "fieldCount");
	demand(bytes[11] === 0, "reserved");
	const rulesEnd = HEADER_BYTES + counterCount * COUNTER_BYTES + dataIdCount * DATA_ID_BYTES + ruleCount * RULE_BYTES;
	const size = rulesEnd + markCount * MARK_BYTES + fieldCount * FIELD_BYTES;
	demand(bytes.length === size, "size");

	let at = HEADER_BYTES;
	const counters: Counter[] = [];
	for (let i = 0; i < counterCount; i++, at += COUNTER_BYTES)
		counters.push({ initial: bytes[at], step: bytes[at + 1], wrapAbove: bytes[at + 2], wrapTo: bytes[at + 3] });
	const dataIds: Uint8Array[] = [];
	for (let i = 0; i < dataIdCount; i++, at += DATA_ID_BYTES) dataIds.push(bytes.slice(at, at + DATA_ID_BYTES));
	const rules: Rule[] = [];
	for (let i = 0; i < ruleCount; i++, at += RULE_BYTES) {
		const rule = parseRule(bytes, view, at, counterCount, dataIdCount, generates);
		demand(generates || !rules.some((other) => other.id === rule.id && other.bus === rule.bus), "two rules for one identifier");
		rules.push(rule);
	}
	let lastRule = 0;
	for (let i = 0; i < markCount; i++, at += MARK_BYTES) {
		const index = bytes[at];
		demand(!generates && index < ruleCount && index >= lastRule && bytes[at + 1] <= 6, "mark");
		lastRule = index;
		const [mask, first, last] = [2, 4, 6].map((offset) => view.getUint16(at + offset, true));
		rules[index].marks.push({ at: bytes[at + 1], mask, first, last });
	}
	for (let i = 0; i < fieldCount; i++, at += FIELD_BYTES) {
		const [index, start, length, step] = bytes.subarray(at, at + 4);
		const [low, span] = [4, 6].map((offset) => view.getUint16(at + offset, true));
		demand(index < ruleCount && !rules.slice(index + 1).some(({ fields }) => fields.length > 0), "field of a rule");
		demand(length >= 1 && length <= 16 && start + length <= 64 && low + span < 2 ** length, "field");
		const before = rules[index].fields.at(-1);
		demand(before === undefined || start >= before.start + before.length, "fields in order");
		rules[index].fields.push({ start, length, step, low, span });
	}
	return {
		counterSet: bytes[1],
		generates,
		crc: { polynomial: bytes[2], initial: bytes[3], finalXor: bytes[4] },
		counters,
		dataIds,
		rules,
	};
}

function parseRule(
	bytes: Uint8Array,
	view: DataView,
	at: number,
	counterCount: number,
	dataIdCount: number,
	generates: boolean,
): Rule {
	const id = view.getUint32(at, true);
	demand(id >= EXTENDED ? id <= EXTENDED + 0x1fffffff : id <= 0x7ff, "identifier");
	const bus = bytes[at + 4];
	const group = bytes[at + 5];
	const minDlc = bytes[at + 6];
	demand(bus <= 1, "bus");
	demand(group <= (generates ? 9 : 7), "group or phase");
	demand(minDlc <= (generates ? 200 : 8), "minDlc or period");
	demand(!generates || minDlc === 0 || bytes[at + 7] > 0, "dlcOut");
	demand(bytes[at + 7] <= 8, "dlcOut");
	const operations: Operation[] = [];
	for (let i = 0; i < 8; i++) operations.push({ op: bytes[at + 8 + 3 * i], a: bytes[at + 9 + 3 * i], b: bytes[at + 10 + 3 * i] });
	operations.forEach(({ op, a }, i) => {
		demand(op <= 9, "operation");
		if (op === 4 || op === 5 || op === 7) demand(a < counterCount, "counter");
		if (op === 6) demand(i < 7 && operations[i + 1].op === 0, "ADD_WORD needs a KEEP after it");
	});
	const steps: ChecksumStep[] = [];
	for (let i = 0; i < 2; i++) {
		const [kind, target, byteMask, dataId, position, flags] = bytes.subarray(at + 32 + 6 * i, at + 38 + 6 * i);
		demand(kind <= 3, "checksum kind");
		demand(target <= 7, "checksum target");
		demand(dataId <= dataIdCount, "dataId");
		demand(position <= 2 && !(kind === 1 && dataId > 0 && position === 0), "position");
		demand(flags <= 1, "flags");
		steps.push({ kind, target, byteMask, dataId, position, verify: flags === 1 });
	}
	return {
		id,
		bus,
		phaseMs: group / 2,
		periodMs: 5 * minDlc,
		group,
		minDlc,
		dlcOut: bytes[at + 7],
		operations,
		steps,
		marks: [],
		fields: [],
	};
}

export class PlanInterpreter {
	#staged: Plan | undefined;
	#plan: Plan | undefined;
	#factor = 0;
	#groups = 0;
	#values: number[] = [];
	readonly #sent = new Map<string, Sent>();

	/** Stages a plan; `commit` puts it active. @throws {RangeError} invalid; nothing changes then. */
	load(bytes: Uint8Array): void {
		this.#staged = parse(bytes);
	}

	/**
	 * Activates the staged (or current) plan.
	 * @param factor 0..25600
	 * @param groups bit mask. Without a plan it does nothing.
	 */
	commit(factor: number, groups: number): void {
		if (this.#staged) {
			const goOn = this.#plan?.counterSet === this.#staged.counterSet;
			const old = this.#values;
			this.#values = this.#staged.counters.map((counter, i) => (goOn && i < old.length ? old[i] : counter.initial));
			this.#plan = this.#staged;
			this.#staged = undefined;
		}
		this.#factor = factor;
		this.#groups = groups;
	}

	/** Counters stand where they start. */
	restartCounters(): void {
		this.#values = this.#plan?.counters.map(({ initial }) => initial) ?? [];
	}

	/**
	 * What leaves on the other bus for one received frame.
	 * @param bus 0 chassis, 1 coupling
	 * @param id with flag bits 31 (extended) and 30 (remote)
	 * @param data at least `dlc` bytes, unchanged
	 * @returns a new array of as many bytes as are sent
	 */
	pass(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const sent = this.#pass(bus, id, dlc, data);
		const ours = Buffer.compare(sent, data.subarray(0, dlc)) !== 0;
		if ((id & REMOTE) === 0) this.#sent.set(`${bus} ${id >>> 0}`, { data: sent, ours });
		return sent;
	}

	#pass(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const received = new Uint8Array(8);
		received.set(data.subarray(0, dlc));
		const plan = this.#plan;
		const rule = plan?.generates ? undefined : plan?.rules.find((one) => one.id === id >>> 0 && one.bus === bus);
		// An id with the remote flag equals no rule's id.
		if (!plan || !rule || dlc < rule.minDlc || !((this.#groups >> rule.group) & 1)) return received.slice(0, dlc);

		const isInvalid = rule.marks.some(({ at, mask, first, last }) => {
			const value = (received[at] + 256 * received[at + 1]) & mask;
			return first <= last ? value >= first && value <= last : value >= first || value <= last;
		});
		if (isInvalid) return received.slice(0, dlc);
		const wrong = rule.steps.some((step) => verifies(step, dlc) && checksum(plan, step, received) !== received[step.target]);
		if (wrong) return received.slice(0, dlc);

		const last = this.#sent.get(`${bus} ${id >>> 0}`);
		return this.#frame(plan, rule, received, rule.dlcOut || dlc, last?.ours ? last.data : undefined);
	}

	/**
	 * What a plan that generates sends within five milliseconds from `tMs` on, counted from its start; a
	 * multiple of 5.
	 * @returns the frames in their order: two bytes of identifier, the high one first, and the data
	 */
	generated(tMs: number): Uint8Array[] {
		const plan = this.#plan;
		const due = plan?.rules.filter(({ periodMs }) => periodMs > 0 && tMs % periodMs === 0) ?? [];
		return due.map((rule) => {
			const key = `generated ${rule.id}`;
			const open = new Uint8Array(8);
			for (const { start, length, low } of rule.fields) writeBits(open, start, length, low);
			const last = this.#sent.get(key)?.data ?? open;
			const data = this.#frame(plan as Plan, rule, new Uint8Array(8), rule.dlcOut, last);
			this.#sent.set(key, { data, ours: true });
			return Uint8Array.of(rule.id >> 8, rule.id, ...data);
		});
	}

	/** @param ours what was sent last, if the car had not sent it so */
	#frame(plan: Plan, rule: Rule, received: Uint8Array, dlcOut: number, ours: Uint8Array | undefined): Uint8Array {
		const frame = received.slice();
		rule.operations.forEach((operation, i) => {
			this.#operate(operation, received, frame, i);
		});
		for (const field of rule.fields) writeBits(frame, field.start, field.length, this.#fieldOf(field, ours, received));
		for (const step of rule.steps) if (step.kind !== 0 && step.target < dlcOut) frame[step.target] = checksum(plan, step, frame);
		const named = rule.operations.filter(({ op }) => op === 4 || op === 5 || op === 7).map(({ a }) => a);
		for (const index of new Set(named)) {
			const { step, wrapAbove, wrapTo } = plan.counters[index];
			const next = (this.#values[index] + step) % 256;
			const last = rule.operations.filter(({ op, a }) => (op === 4 || op === 5 || op === 7) && a === index).pop();
			this.#values[index] = next > wrapAbove && last?.op !== 7 ? wrapTo : next;
		}
		return frame.slice(0, dlcOut);
	}

	/** The frame with the checksums that the rule of its identifier demands, as a car sends it. */
	sealed(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const frame = new Uint8Array(8);
		frame.set(data.subarray(0, dlc));
		const plan = this.#plan;
		const rule = plan?.rules.find((candidate) => candidate.id === id >>> 0 && candidate.bus === bus);
		for (const step of rule?.steps ?? []) if (plan && verifies(step, dlc)) frame[step.target] = checksum(plan, step, frame);
		return frame.slice(0, dlc);
	}

	#fieldOf({ start, length, step, low, span }: Field, ours: Uint8Array | undefined, received: Uint8Array): number {
		const target = low + this.#scale(span);
		if (step === 0 || this.#factor === 0) return target;
		const last = Math.min(low + span, readBits(ours ?? received, start, length));
		if (target > last + step) return last + step;
		return ours !== undefined && target < last - step ? last - step : target;
	}

	#scale(x: number): number {
		return Math.floor((x * this.#factor) / FULL_FACTOR);
	}

	#operate({ op, a, b }: Operation, received: Uint8Array, frame: Uint8Array, i: number): void {
		switch (op) {
			case 1:
				frame[i] = a;
				break;
			case 2:
				frame[i] = this.#scale(a);
				break;
			case 3:
				frame[i] = a - this.#scale(b) + 256;
				break;
			case 8:
				frame[i] = this.#factor === 0 ? 0 : a + this.#scale(b);
				break;
			case 9:
				frame[i] = a + this.#scale(b);
				break;
			case 4:
				frame[i] = this.#values[a];
				break;
			case 5:
				frame[i] = this.#scale((this.#values[a] + b) % 256);
				break;
			case 7:
				frame[i] = 0;
				break;
			case 6: {
				const value = received[i] + 256 * received[i + 1];
				const limit = 256 * (b || 256);
				const sum = value < limit ? Math.min(value + this.#scale(a), limit - 1) : value;
				frame[i] = sum & 0xff;
				frame[i + 1] = sum >> 8;
				break;
			}
		}
	}
}

function readBits(bytes: Uint8Array, start: number, length: number): number {
	let value = 0;
	for (let bit = length - 1; bit >= 0; bit--) value = 2 * value + (((bytes[(start + bit) >> 3] ?? 0) >> ((start + bit) & 7)) & 1);
	return value;
}

function writeBits(bytes: Uint8Array, start: number, length: number, value: number): void {
	for (let bit = 0; bit < length; bit++) {
		const [at, mask] = [(start + bit) >> 3, 1 << ((start + bit) & 7)];
		bytes[at] = Math.floor(value / 2 ** bit) % 2 === 1 ? bytes[at] | mask : bytes[at] & ~mask;
	}
}

function verifies({ kind, target, verify }: ChecksumStep, dlc: number): boolean {
	return kind !== 0 && verify && target < dlc;
}

function checksum(plan: Plan, step: ChecksumStep, frame: Uint8Array): number {
	const bytes = [...frame].filter((_, i) => (step.byteMask >> i) & 1);
	if (step.kind === 2) return bytes.reduce((sum, byte) => sum ^ byte, 0);
	if (step.kind === 3) return (0xff - bytes.reduce((sum, byte) => sum + byte, 0)) & 0xff;
	if (step.dataId > 0) {
		const dataId = plan.dataIds[step.dataId - 1][frame[1] & 15];
		if (step.position === 1) bytes.unshift(dataId);
		else bytes.push(dataId);
	}
	let crc = plan.crc.initial;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ plan.crc.polynomial) & 0xff : crc << 1;
	}
	return crc ^ plan.crc.finalXor;
}
