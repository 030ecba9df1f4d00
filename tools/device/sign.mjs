/**
 * The owner's key, and what it signs: images (src/update/firmware-image.ts) and manifests
 * (src/update/manifest.ts). Ed25519, by Node's own crypto. The key is a file that belongs to the owner alone
 * and lies outside of the tree; all that leaves it are its public half and signatures.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { DeviceError, ROOT } from "./boards.mjs";

const MAGIC = "OCSIGNED";
const TITLE = "OpenCoupling manifest";
const TEXT_BYTES = 32;
const KEY_BYTES = 32;
const DIGEST_BYTES = 32;
/** Without `--key` and OPENCOUPLING_KEY. */
const DEFAULT_PATH = join(homedir(), ".opencoupling", "update-key.pem");
const OTHERS = 0o077;

/**
 * @param {string | undefined} option value of `--key`; "none" = no key
 * @returns {string} "" = none was asked for, or there is none in its place
 */
export function keyPath(option) {
	const path = option ?? process.env.OPENCOUPLING_KEY ?? (existsSync(DEFAULT_PATH) ? DEFAULT_PATH : "none");
	return path === "none" ? "" : resolve(path);
}

/**
 * Makes a key.
 * @param {string | undefined} option where; default ~/.opencoupling/update-key.pem
 * @returns {{ path: string, publicKey: string }}
 * @throws {DeviceError} there is a file already, or the place is in the tree
 */
export function makeKey(option) {
	const path = resolve(option ?? process.env.OPENCOUPLING_KEY ?? DEFAULT_PATH);
	const { privateKey } = generateKeyPairSync("ed25519");
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		const place = join(realpathSync(dirname(path)), basename(path));
		if (`${place}${sep}`.startsWith(realpathSync(ROOT) + sep))
			throw new DeviceError(`${path} is in the tree, where it would be committed one day: keep the key elsewhere`);
		writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
	} catch (error) {
		if (error instanceof DeviceError) throw error;
		throw new DeviceError(
			error.code === "EEXIST" ? `${path} exists: a key is never replaced` : `the key can't be kept: ${error.message}`,
		);
	}
	return { path, publicKey: publicKeyOf(privateKey) };
}

/**
 * @param {string} path of `keyPath`
 * @returns {import("node:crypto").KeyObject}
 * @throws {DeviceError} no key, or not the owner's alone
 */
export function readKey(path) {
	let text;
	try {
		const file = openSync(path, "r");
		const { mode } = fstatSync(file);
		text = readFileSync(file);
		closeSync(file);
		if (process.platform !== "win32" && mode & OTHERS) throw new DeviceError(`others can read the key ${path}: chmod 600 it`);
	} catch (error) {
		if (error instanceof DeviceError) throw error;
		throw new DeviceError(`the key ${path} can't be read (${error.code}): make one with npm run release -- --new-key`);
	}
	let key;
	try {
		key = createPrivateKey(text);
	} catch {
		// the error would tell what it holds
	}
	if (key?.asymmetricKeyType !== "ed25519") throw new DeviceError(`${path} holds no Ed25519 key without a password`);
	return key;
}

/**
 * @param {import("node:crypto").KeyObject} key
 * @returns {string} 64 hexadecimal digits
 */
export function publicKeyOf(key) {
	return createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-KEY_BYTES).toString("hex");
}

/**
 * How people compare keys.
 * @param {string} publicKey
 * @returns {string}
 */
export const shortKey = (publicKey) => publicKey.slice(0, 16).replace(/(....)(?!$)/g, "$1 ");

/**
 * @param {Buffer} image
 * @param {{ projectName: string, version: string }} identity
 * @param {import("node:crypto").KeyObject} key
 * @returns {Buffer} the image with its trailer
 */
export function signImage(image, { projectName, version }, key) {
	/** @param {string} value */
	const text = (value) => Buffer.concat([Buffer.from(value, "latin1"), Buffer.alloc(TEXT_BYTES)]).subarray(0, TEXT_BYTES);
	const digest = image.subarray(-DIGEST_BYTES);
	const said = Buffer.concat([
		Buffer.from(MAGIC),
		text(projectName),
		text(version),
		digest,
		Buffer.from(publicKeyOf(key), "hex"),
	]);
	return Buffer.concat([image, said, sign(null, said, key)]);
}

/**
 * @param {Record<string, unknown>} manifest
 * @param {import("node:crypto").KeyObject} key
 * @returns {Record<string, unknown>} the manifest with its signature
 */
export function signManifest(manifest, key) {
	const {
		version,
		board = "",
		minVersion = "",
		firmware = "",
		filesystem = "",
		releasePath = "",
		size = 0,
		sha256 = "",
	} = manifest;
	const said = [TITLE, version, board, minVersion, firmware, filesystem, releasePath, String(size), sha256].join("\n");
	return { ...manifest, signature: sign(null, Buffer.from(said), key).toString("hex") };
}
