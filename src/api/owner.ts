/**
 * GET and POST /api/owner, POST /api/session: the owner's password, and the key that it opens. Only the
 * answer to a client that has just said the password has the key.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { isOwnerPassword, PASSWORD_BYTES_MAX, PASSWORD_BYTES_MIN } from "../owner/owner.js";
import type { ApiContext } from "./context.js";
import { hasKey, mayChange, rejectWithoutKey } from "./guards.js";
import { problem, reject } from "./problem.js";
import { jsonObject } from "./request-values.js";

const ALLOWED = `${PASSWORD_BYTES_MIN}..${PASSWORD_BYTES_MAX} bytes of text without control characters`;

/** `signedIn`: the request has the key. */
export function getOwner({ owner }: ApiContext, request: HttpRequest): object {
	return { passwordSet: owner.passwordSet, signedIn: hasKey(owner, request) };
}

/** Sets a password, `""` for none; answers when it is on flash, 401 if another one was set meanwhile. */
export function postOwner({ owner }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const password = passwordIn(request, (text) => text === "" || isOwnerPassword(text), `empty, or ${ALLOWED}`);
	const answer = (isStored: boolean, members: object): void => {
		if (isStored) response.json(200, { ok: true, ...members });
		else if (mayChange(owner, request, response)) problem(response, 500, "save failed");
	};
	if (password === "") owner.removePassword((isStored) => answer(isStored, {}));
	else {
		const isWanted = (): boolean => !response.abandoned;
		owner.setPassword(password, isWanted, (key) => answer(key !== undefined, { key }));
	}
}

/** Gives the key to a client that knows the password. */
export function postSession({ owner }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const password = passwordIn(request, isOwnerPassword, ALLOWED);
	if (!owner.passwordSet) reject(409, "no password is set");
	owner.signIn(
		password,
		() => !response.abandoned,
		(key) => {
			if (key !== undefined) response.json(200, { ok: true, key });
			else rejectWithoutKey(response, "wrong password", "each wrong one holds up the next for a second");
		},
	);
}

/** The body's password; else 400, which does not repeat it. */
function passwordIn(request: HttpRequest, fits: (text: string) => boolean, allowed: string): string {
	const { password } = jsonObject(request, "password");
	if (typeof password === "string" && fits(password)) return password;
	return reject(400, "invalid password", { field: "password", allowed });
}
