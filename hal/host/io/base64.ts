/** `src/http/base64.ts` for the host, which decodes at each start. */
export const bytesOfBase64 = (text: string): Uint8Array =>
	new Uint8Array(native<ArrayBuffer>("host_base64_decode").call(undefined, text));
