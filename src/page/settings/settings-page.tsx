import { T } from "../texts";

export function SettingsPage(_: { part: string }) {
	return <p class="loading">{T.shell.loading}</p>;
}
