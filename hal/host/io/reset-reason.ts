/** Why the controller has started; the contract is in hal/typings/ecma-419.d.ts. A program knows nothing of how the one before it ended. */
export default "power on";
