/** Moddable's crypt on the host, as far as SHA-256; the contract is in hal/typings/ecma-419.d.ts. */
export class Digest extends Native("host_digest_destructor") {
	constructor(type: "SHA256") {
		super();
		native("host_digest_constructor").call(this, type);
	}

	write(data: ArrayBuffer | Uint8Array): void {
		native("host_digest_write").call(this, data);
	}

	close(): ArrayBuffer {
		return native<ArrayBuffer>("host_digest_close").call(this);
	}
}
