/** Where values lie in the drawing of a curve, in units of its own. Pure. */

import type { CurvePoint } from "../net/types";

/** Size of the whole drawing. */
export const WIDTH = 640;
export const HEIGHT = 360;
/** Edges of what is drawn; outside stand the numbers. */
export const LEFT = 64;
export const RIGHT = WIDTH - 30;
export const TOP = 44;
export const BOTTOM = HEIGHT - 72;

/** A finger may miss an edge by this much. */
const EDGE = 16;

/** A place, in units of the drawing. */
export interface Place {
	readonly across: number;
	readonly down: number;
}

/** Distances between two lines; and how many lines their numbers leave space for. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000];
const LINES_MAX = 8;

/** How far the drawing reaches, with space for one more point; and how far apart its lines are. */
export function reachOf(points: readonly CurvePoint[], largest: number): { span: number; step: number } {
	const last = points[points.length - 1]?.x ?? 0;
	const wanted = Math.min(largest, Math.max(last * 1.15, largest * 0.3));
	const step = STEPS.find((size) => wanted / size <= LINES_MAX) ?? 2000;
	return { span: Math.min(largest, Math.ceil(wanted / step) * step), step };
}

/** A value beyond the span is drawn at its end. */
export function acrossOf(value: number, span: number): number {
	return LEFT + (Math.min(value, span) / span) * (RIGHT - LEFT);
}

/** 0 % lies at the bottom, 100 % at the top. */
export function downOf(lockPercent: number): number {
	return TOP + (1 - lockPercent / 100) * (BOTTOM - TOP);
}

/** The value and the lock at a place; beyond the edges they go on. */
export function valuesAt({ across, down }: Place, span: number): [value: number, lockPercent: number] {
	return [((across - LEFT) / (RIGHT - LEFT)) * span, (1 - (down - TOP) / (BOTTOM - TOP)) * 100];
}

/** The point nearest to a touch within `reach`, in units of the drawing. @returns -1 if there is none */
export function pointAt(points: readonly CurvePoint[], span: number, { across, down }: Place, reach: number): number {
	const distances = points.map(({ x, lock }) => Math.hypot(acrossOf(x, span) - across, downOf(lock) - down));
	const nearest = Math.min(...distances);
	return nearest <= reach ? distances.indexOf(nearest) : -1;
}

/** Whether a touch is meant for what is drawn, and not for the numbers beside it. */
export function isInside({ across, down }: Place): boolean {
	return across >= LEFT - EDGE && across <= RIGHT + EDGE && down >= TOP - EDGE && down <= BOTTOM + EDGE;
}

/** The curve as the `d` of a path, level before its first point and behind its last; "" without points. */
export function pathOf(points: readonly CurvePoint[], span: number): string {
	const [first, last] = [points[0], points[points.length - 1]];
	if (first === undefined || last === undefined) return "";
	const middle = points.map(({ x, lock }) => `L${acrossOf(x, span)} ${downOf(lock)}`).join("");
	return `M${LEFT} ${downOf(first.lock)}${middle}L${RIGHT} ${downOf(last.lock)}`;
}
