/**
 * Why the controller has started; the contract is in hal/typings/ecma-419.d.ts. SIGKILL is a power cut of the
 * host: "power on".
 */
export default function resetReason(): string {
	return native<string>("xs_hal_reset_reason").call(undefined);
}
