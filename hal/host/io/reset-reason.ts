/** Why the controller has started; the contract is in hal/typings/ecma-419.d.ts. Of how another program ended before it nothing is known. */
export default native<boolean>("host_firmware_restarted").call(undefined) ? "restart" : "power on";
