import { T } from "../texts";

export function LogsPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
