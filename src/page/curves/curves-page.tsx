import { T } from "../texts";

export function CurvesPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
