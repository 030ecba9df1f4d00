import { T } from "../texts";

export function AboutPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
