/** Sends an image of the firmware to the controller. */

import { askForKey, keepKey, withKey } from "../net/owner";
import { T } from "../texts";

/**
 * Asks for the owner's password if one is needed.
 * @param onSent told the share that has been sent, 0..1; undefined = nothing is being sent any more
 * @returns why it was refused, in the controller's words, "" = it is installed. Never throws.
 */
export async function upload(file: File, onSent: (share: number | undefined) => void): Promise<string> {
	const { status, responseText } = await send(file, onSent);
	if (status === 200) return "";
	if (status === 0) return T.link.noAnswer;
	if (status !== 401) return responseText.replace(/^FAIL: /, "");
	keepKey(undefined);
	return (await askForKey()) ? upload(file, onSent) : "password required";
}

function send(file: File, onSent: (share: number | undefined) => void): Promise<XMLHttpRequest> {
	return new Promise((resolve) => {
		onSent(0);
		// fetch does not tell how much has been sent
		const request = new XMLHttpRequest();
		request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
		request.onloadend = () => {
			onSent(undefined);
			resolve(request);
		};
		request.open("POST", "/ota/update");
		for (const [name, value] of Object.entries(withKey({ "Content-Type": "application/octet-stream" })))
			request.setRequestHeader(name, value);
		request.send(file);
	});
}
