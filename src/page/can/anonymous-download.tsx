/** A dump or a log as a file that may be shared. */

import { getText, inWords } from "../net/request";
import { T } from "../texts";
import { downloadText } from "../ui/give";
import { notify } from "../ui/notice";
import { withoutIdentity } from "./identity";

/** Two full buses for two minutes, over Wi-Fi. */
const TIMEOUT_MS = 120_000;

/** A button that downloads what `path` answers, without what tells whose car it is. */
export function AnonymousDownload({ path, name }: { path: string; name: string }) {
	const download = async (): Promise<void> => {
		try {
			downloadText(name, withoutIdentity(await getText(path, TIMEOUT_MS)));
		} catch (error) {
			notify("bad", inWords(error));
		}
	};
	return (
		<button type="button" title={T.can.anonymousHint} onClick={() => void download()}>
			{T.can.anonymous}
		</button>
	);
}
