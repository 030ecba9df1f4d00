// A condition that is on, with what the test says of it.
import { NEW_CONDITION } from "../../src/settings/condition-list.js";
import type { ConditionSettings } from "../../src/settings/settings.js";

export const condition = (changes: Partial<ConditionSettings>): ConditionSettings => ({
	...NEW_CONDITION,
	enabled: true,
	...changes,
});
