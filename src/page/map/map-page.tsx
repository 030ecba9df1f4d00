import { T } from "../texts";

export function MapPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
