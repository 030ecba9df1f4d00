import { T } from "../texts";

export function NetworkPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
