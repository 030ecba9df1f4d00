/**
 * Globals of the XS engine that TypeScript does not know, on the boards and on the host.
 * `trace`, `ArrayBuffer.fromString` and `String.fromArrayBuffer` come from Moddable's own typings.
 */
/// <reference path="../../node_modules/@moddable/typings/xs.d.ts" />

/**
 * A C function by its name; always a literal, because Moddable's compiler links it. `R` is what it returns.
 */
declare function native<R = void>(name: string): (this: unknown, ...parameters: unknown[]) => R;

/** The base class of host objects that this C destructor ends; always a literal. */
declare function Native(destructor: string): new () => object;
