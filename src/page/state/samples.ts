/** The last 15 minutes of the drive as this page has seen it, ten times a second, in memory only. */

import type { Telemetry } from "../net/types";

/** NaN = unknown. */
export interface Sample {
	/** Only differences mean something. */
	readonly atMs: number;
	readonly speedKmh: number;
	readonly pedalPercent: number;
	readonly rpm: number;
	/** Lock asked of the coupling. */
	readonly requestedPercent: number;
	/** Lock that the coupling reports. */
	readonly engagedPercent: number;
}

/** A longer pause between two samples is a gap. */
export const GAP_MS = 1500;
/** 15 minutes at 10 Hz. */
export const SAMPLES_MAX = 9000;

/** Oldest first. */
export const samples: Sample[] = [];

type Told = Pick<
	Telemetry,
	"speed" | "throttle" | "rpm" | "spec" | "act" | "speedValid" | "throttleValid" | "rpmValid" | "engagementValid"
>;

/** Forgets the oldest one where there are SAMPLES_MAX. @param atMs later than that of the sample before */
export function keepSample(now: Told, atMs: number): void {
	samples.push({
		atMs,
		speedKmh: now.speedValid ? now.speed : Number.NaN,
		pedalPercent: now.throttleValid ? now.throttle : Number.NaN,
		rpm: now.rpmValid ? now.rpm : Number.NaN,
		requestedPercent: now.spec,
		engagedPercent: now.engagementValid ? now.act : Number.NaN,
	});
	if (samples.length > SAMPLES_MAX) samples.shift();
}

/** Index of the first sample at or after `atMs`; the number of samples if there is none. */
export function firstSince(all: readonly Sample[], atMs: number): number {
	let low = 0;
	let high = all.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (all[middle]!.atMs < atMs) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Samples in a row without a gap between them, for which all of `values` are known. */
export function runs(all: readonly Sample[], ...values: readonly ((sample: Sample) => number)[]): Sample[][] {
	const found: Sample[][] = [];
	let last: Sample | undefined;
	for (const sample of all) {
		if (values.some((value) => Number.isNaN(value(sample)))) last = undefined;
		else {
			if (last === undefined || sample.atMs - last.atMs > GAP_MS) found.push([]);
			found[found.length - 1]!.push(sample);
			last = sample;
		}
	}
	return found;
}
