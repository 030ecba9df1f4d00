/** The empty byte array, in ROM: each one made at run time takes 7 of the heap's 4608 slots. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);
