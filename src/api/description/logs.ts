/** Log files. */

import { OkState } from "./common.js";
import { pathOrName } from "./map.js";
import type { Endpoints } from "./route.js";
import { anyCase, count, flag, list, named, object, ok, oneOf, optional, text } from "./schema.js";

const SCOPES = ["all", "can", "error"] as const;
const scope = text("all, can, error or everything, in any letter case", { pattern: `^${anyCase([...SCOPES, "everything"])}$` });

export const LogList = named(
	"LogList",
	object({
		files: list(object({ scope: oneOf(SCOPES), path: text(undefined, { pattern: "^/logs/" }), size: count("Bytes") })),
	}),
);
const LogFile = named("LogFile", pathOrName("The path below /logs/, or its last part"));
const LogDeleted = named("LogDeleted", ok({ inputsMapped: flag() }));
const LogScope = named("LogScope", object({ scope: optional(scope) }, "Without scope: everything"));

export const LOGS: Endpoints = {
	"GET /api/logs": {
		id: "getLogs",
		says: "The log files",
		query: { scope: optional(scope) },
		answer: LogList,
		means: "The list",
		errors: { 400: { "invalid scope": "" } },
		inBootLoop: true,
	},
	"GET /api/logs/read": {
		id: "getLogsRead",
		says: "The end of a log file",
		query: {
			path: text("Below /logs/", { minLength: 1 }),
			max: optional(text("How many bytes, 1..262144; anything else means 32768", { default: "32768" })),
		},
		answer: { "text/plain": text() },
		means: "Its last lines, after a line that says so if it is longer",
		errors: { 400: { "missing path": "" }, 404: { "log read failed": "no such log file" } },
		inBootLoop: true,
	},
	"POST /api/logs/delete": {
		id: "postLogsDelete",
		says: "Delete a log file",
		body: LogFile,
		answer: LogDeleted,
		means: "Deleted",
		errors: { 400: { "missing path": "", "delete failed": "no such log file" } },
	},
	"POST /api/logs/clear": {
		id: "postLogsClear",
		says: "Empty the logs of a scope",
		body: LogScope,
		example: { scope: "all" },
		answer: OkState,
		means: "Empty",
		errors: { 400: { "clear failed": "an unknown scope, or the flash failed" } },
	},
};
