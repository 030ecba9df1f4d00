import { T } from "../texts";

export function StartPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
