/** GET /api/conditions: each condition now, and recommended signals. POST /api/settings sets them. */

import { resolveSignalKey } from "../can/catalogue.js";
import type { ControllerView } from "../controller/controller-view.js";
import { Reason } from "../controller/reason.js";
import { CONDITION_SIGNALS } from "../coupling/coupling.js";
import { couplingOf, networkOf } from "../coupling/couplings/couplings.js";
import { figure, type Members, partTexts } from "../http/producer.js";
import type { HttpResponse } from "../http/response.js";
import { MODES, STOCK } from "../lock/modes.js";
import { type ConditionSettings, conditionKey, type Settings } from "../settings/settings.js";
import { CONDITIONS_MAX } from "../settings/settings-table.js";
import { DIAGNOSED_OIL, diagnosedValue } from "../vehicle/mapped-inputs.js";
import type { ApiContext } from "./context.js";
import { ageOf, broadcast } from "./status.js";

/** In the order of the settings. */
export function getConditions(context: ApiContext, _request: unknown, response: HttpResponse): void {
	response.jsonPieces(partTexts(PARTS, context));
}

const PARTS: readonly Members<ApiContext>[] = Object.freeze([
	({ controller }: ApiContext) => {
		const { settings } = controller;
		let firstSelects = true;
		const conditions = settings.conditions.map((one, index) => {
			const state = controller.conditionAt(index);
			const selects = isSelecting(one) && state?.holds === true && mayAct(controller, one);
			const doing = doingOf(controller, index, !selects || firstSelects);
			if (selects) firstSelects = false;
			return {
				enabled: one.enabled,
				effect: one.effect,
				signal: conditionKey(settings, one),
				operator: one.operator,
				value: figure(one.value),
				holdMs: one.holdMs,
				limitPercent: one.limitPercent,
				mode: MODES[one.mode],
				...broadcast(one.broadcastOverCan),
				alsoFromStock: one.alsoFromStock,
				map: one.map,
				doing,
				live: state?.live === true,
				seen: state?.seen === true,
				lastValue: figure(state?.value ?? 0),
				codesKnown: areCodesKnown(settings, conditionKey(settings, one)),
				ageMs: ageOf(controller, state),
			};
		});
		return { conditions };
	},
	({ controller }: ApiContext) => {
		const { settings } = controller;
		const signals = couplingOf(settings.generation)?.car.recommended.conditions;
		const recommended = CONDITION_SIGNALS.map((name) => ({
			name,
			signal: name === "oilTemperature" ? oilKey(controller) : (signals?.[name] ?? ""),
		}));
		return { max: CONDITIONS_MAX, recommended: recommended.filter(({ signal }) => signal !== "") };
	},
]);

/** By frame, else by diagnosis, else "": without a temperature a limit would hold forever. */
function oilKey({ settings: { generation }, vehicle }: ControllerView): string {
	if (!vehicle.engagementValid) return "";
	if (!Number.isNaN(vehicle.clutchTemperatureC)) return couplingOf(generation)?.car.recommended.conditions.oilTemperature ?? "";
	return diagnosedValue(generation, DIAGNOSED_OIL) === undefined ? "" : DIAGNOSED_OIL;
}

/** Also true of an unknown signal: it never has a value. */
function areCodesKnown({ generation }: Settings, key: string): boolean {
	return resolveSignalKey(networkOf(generation), key)?.signal.codesKnown !== false;
}

/** The condition selects a mode, with its own map or the driver's. */
function isSelecting({ effect }: ConditionSettings): boolean {
	return effect === "mode" || effect === "map";
}

function mayAct({ supervisor }: ControllerView, { alsoFromStock }: ConditionSettings): boolean {
	return alsoFromStock || supervisor.selectedMode !== STOCK;
}

/** @param isFirst no condition before it selects a mode, if it does */
function doingOf(controller: ControllerView, index: number, isFirst: boolean): string {
	const state = controller.conditionAt(index);
	if (state === undefined) return "off";
	if (!state.holds) return state.live ? "waits" : "no signal";
	const one = controller.settings.conditions[index];
	const { controlActive, reason, supervisor } = controller;
	const selects = supervisor.conditionSelects && mayAct(controller, one);
	const acts = isSelecting(one) ? selects && (controlActive || reason === Reason.STOCK_SELECTED) : controlActive;
	if (!acts) return "stock";
	return isFirst ? "acts" : "stands back";
}
