/** Why the controller has started; the contract is in hal/typings/ecma-419.d.ts. SIGKILL is a power cut, so after it: "power on". */
export default function resetReason(): string {
	return native<string>("host_reset_reason").call(undefined);
}
