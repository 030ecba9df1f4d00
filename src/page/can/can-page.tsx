import { T } from "../texts";

export function CanPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
