/** Why the controller has started; the contract is in hal/typings/ecma-419.d.ts, the work in platform.c. */
export default function resetReason(): string {
	return native<string>("xs_esp32_reset_reason").call(undefined);
}
