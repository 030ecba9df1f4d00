/**
 * The composition root: `start` makes each part; the functions below it wire one part each and say how often
 * it runs. The platform's side is in `platform.ts`.
 */

import files from "embedded:storage/files";
import boardControls from "board-controls";
import openDatagrams from "datagrams";
import config from "mc/config";
import Radio from "radio";
import Timer from "timer";
import { firmware, firmwareVersion, isBootKeyHeld, parkedSleep, resetReason } from "../hal/io/board.js";
import { Time } from "../hal/io/machine.js";
import { Listener, TCP } from "../hal/io/sockets.js";
import { CanGateway, COUNTER_COUNT, GATEWAY_COUNTER } from "../modules/can-gateway/can-gateway.js";
import { FRAME_TEXT } from "../modules/frame-text/frame-text.js";
import { Pbkdf2, randomBytes, Sha256, WpaKey } from "../modules/sha256/sha256.js";
import { SignatureCheck } from "../modules/signature/signature.js";
import { AnalyzerService } from "./analyzer/analyzer-service.js";
import { SendPermission } from "./analyzer/permission.js";
import { ApiRouter } from "./api/api-router.js";
import type { ApiContext } from "./api/context.js";
import { addressInstead, isOwnHost } from "./api/guards.js";
import { ROUTES } from "./api/routes.js";
import { AWAKE_WORDS, updateInWords } from "./api/words.js";
import { Learning } from "./calibration/learning.js";
import { Changes } from "./controller/changes.js";
import { Controller } from "./controller/controller.js";
import { ledColour } from "./controls/led.js";
import { DiagnosisService } from "./diagnosis/diagnosis-service.js";
import { CanLog } from "./logs/can-log.js";
import { Log } from "./logs/log.js";
import { MapStore } from "./maps/map-store.js";
import { TuningHistory } from "./maps/tuning-history.js";
import { BootKey, KeyAction } from "./network/boot-key.js";
import { NameService } from "./network/names.js";
import { Network } from "./network/network.js";
import { mayControl, WIFI_DOCUMENT } from "./network/wifi-settings.js";
import { OWNER_DOCUMENT, Owner } from "./owner/owner.js";
import { hasHeap, heapFigure, later, newFetch, openPwm, PWM_FULL } from "./platform.js";
import { ControlLoop, TICK_MS } from "./runtime/control-loop.js";
import { CONTROLS_TICK_MS, ControlsService } from "./runtime/controls-service.js";
import { EventLog } from "./runtime/event-log.js";
import type { HttpFetch } from "./runtime/http-fetch.js";
import { HttpService } from "./runtime/http-service.js";
import { isBootLoop, settingsInBootLoop } from "./runtime/start-guard.js";
import { Revisions } from "./settings/revisions.js";
import { DEFAULT_SETTINGS } from "./settings/settings.js";
import { SETTINGS_DOCUMENT } from "./settings/stored-settings.js";
import { SleepService, type SleepServiceOptions } from "./sleep/sleep-service.js";
import { type StorageContext, StorageProblems, StoredDocument } from "./storage/stored-document.js";
import { deleteLeftovers } from "./storage/whole-file.js";
import { WriteQueue } from "./storage/write-queue.js";
import { bytesOfHexadecimal } from "./text/hexadecimal.js";
import { NEWEST_VERSION_DOCUMENT } from "./update/manifest.js";
import { motionRejection } from "./update/rejection.js";
import { Updater } from "./update/updater.js";
import { Dashboard } from "./vehicle/dashboard.js";
import { LatestFrames } from "./vehicle/latest-frames.js";
import { BUILT_FROM, MINIMUM_VERSION, VERSION } from "./version.js";
import { ASSETS } from "./web/generated/assets.js";
import { siteRoute } from "./web/site.js";

/** Files of each of three logs: 3.9 MB in all at the most on a board with 16 MB, 0.37 MB on one with 4 MB. */
const LOG_COPIES = 4;
/** For the server's time-outs and event streams: as often as their fastest telemetry. */
const HTTP_TICK_MS = 50;
/** For mode, faults, keys and updates. */
const WATCH_TICK_MS = 100;
/** For networks, time-outs of seconds, what a setting switches on. */
const SLOW_TICK_MS = 500;
/** Heap for the largest document: the settings have some 300 values and members, and are copied once. */
const WRITE_SLOTS = 800;

/**
 * Starts the controller. Call once. The gateway forwards frames already. The order is that of need: what is
 * stored, then control, then the network and what an update needs, then all else. In a boot loop the parts
 * that could crash again are not made.
 */
export function start(): void {
	const late: Late = { loop: { leaseLeftMs: Number.POSITIVE_INFINITY }, server: { accepted: 0, connections: 0, port: 0 } };
	const flash = openFlash(late);
	const stored = loadSettings(flash);
	const car = startControl(flash, stored);
	late.loop = car.loop;
	const network = makeNetwork(flash, car, late);
	const owner = makeOwner(flash);
	const fetches = [newFetch(), newFetch()] as const;
	const updater = makeUpdater(flash, stored, car, network, fetches, late);
	const analyzer = makeAnalyzer(flash, car, network, owner);
	const sleep = makeSleep(flash, car, { network, updater, analyzer, http: () => late.server });
	// before the server: on a board nothing can listen while there is no network
	if (!sleep.isProbing) network.start();
	const services: Services = { network, owner, updater, analyzer, sleep, fetches };
	late.server = startServer(flash, stored, car, services);
	watchCar(flash, car, services);
	watchNetwork(flash, car, services);
}

/** Parts that are made after those that look at them, and what these see until then. */
interface Late {
	loop: Pick<ControlLoop, "leaseLeftMs">;
	server: Pick<HttpService, "accepted" | "connections" | "port">;
}

/** What the server shows, and the watches keep going. */
interface Services {
	readonly network: Network;
	readonly owner: Owner;
	readonly updater: Updater;
	readonly analyzer: AnalyzerService;
	readonly sleep: SleepService;
	readonly fetches: readonly HttpFetch[];
}

type Flash = ReturnType<typeof openFlash>;

/** Log and storage, and whether this start is one of too many. */
function openFlash(late: Late) {
	const bootReason = resetReason();
	const writes = new WriteQueue(later, Time, () => late.loop.leaseLeftMs);
	const limits = { fileBytes: config.logFileBytes, copies: LOG_COPIES };
	const problems = new StorageProblems();
	const onFailing = (problem: string): void => problems.note("logs", problem);
	const log = new Log({ files, later, writes, clock: Time, serial: trace, limits, onFailing }, DEFAULT_SETTINGS.logging);
	const report = (path: string, problem: string): void => {
		problems.note(path, problem);
		log.write(problem === "" ? "INFO" : "ERROR", "storage", problem || `${path} is stored again`);
	};
	const storage: StorageContext = {
		files,
		writes,
		clock: Time,
		report,
		freeSpace: () => log.freeSpace(),
		hasHeap: (bytes) => hasHeap(WRITE_SLOTS, bytes),
	};
	// a parked car is woken a million times in ten years
	if (parkedSleep.wakeCause === "timer") log.hold();
	const bootLoop = isBootLoop(storage, bootReason);
	if (!bootLoop) deleteLeftovers(files, "");
	return { bootLoop, bootReason, log, problems, storage, version: firmwareVersion() || VERSION, writes };
}

type Stored = ReturnType<typeof loadSettings>;

/** Settings, the active map, and what map and curves were before. */
function loadSettings({ bootLoop, bootReason, log, storage, version }: Flash) {
	const store = new StoredDocument(SETTINGS_DOCUMENT, storage);
	const history = new TuningHistory(storage);
	const maps = new MapStore(storage, store, (map, replacing) => history.keepReplaced(map, replacing));
	const settings = bootLoop ? settingsInBootLoop(store.load()) : maps.load(store.load());
	if (!bootLoop) history.load(settings);
	log.logging = settings.logging;
	log.write("EVENT", "boot", `OpenCoupling ${version} starts: ${bootReason}`);
	if (bootLoop) log.write("ERROR", "boot", "boot loop: the car stays stock, and only what an update needs is there");
	return { history, maps, settings, store };
}

type Car = ReturnType<typeof startControl>;

/** The control loop runs in a boot loop, too: an update needs to know that the car stands. */
function startControl({ bootLoop, log, storage }: Flash, { history, maps, settings, store }: Stored) {
	const gateway = new CanGateway();
	let controls: ControlsService | undefined;
	const controller = new Controller(settings, (changed) => {
		log.logging = changed.logging;
		store.save(changed);
		maps.keep(changed);
		history.observe(changed);
		controls?.applySettings(changed.controls);
	});
	const learning = new Learning(controller, storage);
	if (bootLoop) controller.setBootLoop();
	else {
		maps.serve(controller);
		learning.load();
	}
	const output = { pin: config.pwmPin, dutyMax: PWM_FULL, open: openPwm };
	const onFault = (error: unknown): void => log.write("ERROR", "control", `control has ended, the car is stock: ${error}`);
	const loop = new ControlLoop(controller, gateway, output, Time, onFault);
	Timer.repeat(() => loop.tick(), TICK_MS);

	const frames = new LatestFrames(gateway);
	const noteChoice = (message: string): void => log.write("EVENT", "button", message);
	if (!bootLoop) controls = new ControlsService(controller, boardControls, frames, Time, noteChoice);
	Timer.repeat(() => controls?.tick(), CONTROLS_TICK_MS);
	const diagnosis = new DiagnosisService(gateway, Time, later, controller);
	return { changes: new Changes(), controller, diagnosis, frames, gateway, learning, loop };
}

function linesOf(log: Log, tag: string) {
	return (level: Parameters<Log["write"]>[0], message: string): void => log.write(level, tag, message);
}

function makeNetwork({ log, storage }: Flash, { controller }: Car, late: Late): Network {
	const store = new StoredDocument(WIFI_DOCUMENT, storage);
	return new Network(store.load(), {
		radio: new Radio(),
		clock: Time,
		newKey: config.makesNetworkKey ? (passphrase, ssid) => new WpaKey(passphrase, ssid) : undefined,
		later,
		mayPause: () => controller.lockPercent === 0,
		clients: () => late.server.connections,
		store: (wifi) => store.writing(wifi),
		writes: storage.writes,
		log: linesOf(log, "wifi"),
	});
}

function makeOwner({ log, storage }: Flash): Owner {
	const store = new StoredDocument(OWNER_DOCUMENT, storage);
	return new Owner(store.load(), {
		store: (record) => store.writing(record),
		writes: storage.writes,
		later,
		newHash: (password: Uint8Array, salt: Uint8Array) => new Pbkdf2(password, salt),
		newDigest: () => new Sha256(),
		random: randomBytes,
		log: linesOf(log, "owner"),
	});
}

function makeUpdater(
	{ bootLoop, log, storage, version, writes }: Flash,
	{ history, maps, store }: Stored,
	{ controller, learning }: Car,
	network: Network,
	[fetch, ownFetch]: readonly [HttpFetch, HttpFetch],
	late: Late,
): Updater {
	const { chipId, projectName, updateUrl } = config;
	const updateKey = bytesOfHexadecimal(config.updateKey);
	return new Updater({
		car: controller,
		version,
		fetch,
		ownFetch,
		ownUrl: () => `http://127.0.0.1:${late.server.port}/api/network`,
		online: () => network.stationIp !== "",
		storeAll() {
			for (const one of [store, maps, history, learning, log]) one.flush();
		},
		files,
		writes,
		clock: Time,
		firmware,
		newDigest: () => new Sha256(),
		rules: { chipId, projectName, minimumVersion: MINIMUM_VERSION, maxBytes: firmware.slotBytes, updateKey },
		newSignatureCheck: ({ message, signature }) => new SignatureCheck(updateKey, signature, message),
		newest: new StoredDocument(NEWEST_VERSION_DOCUMENT, storage),
		manifestUrl: updateUrl,
		checksByItself: !bootLoop,
		inWords: updateInWords,
		log: linesOf(log, "ota"),
	});
}

function makeAnalyzer({ log }: Flash, { controller, gateway }: Car, network: Network, owner: Owner): AnalyzerService {
	return new AnalyzerService({
		Listener,
		TCP,
		port: config.analyzerPort,
		clock: Time,
		later,
		hasHeap,
		permission: new SendPermission(controller, network, owner, gateway),
		newFrameLines: FRAME_TEXT.lines,
		log: (message) => log.write("EVENT", "analyzer", message),
	});
}

type SleepParts = Pick<SleepServiceOptions, "network" | "updater" | "analyzer" | "http">;

function makeSleep({ log, writes }: Flash, car: Car, parts: SleepParts): SleepService {
	const { controller, diagnosis, frames, gateway } = car;
	const counts = new Uint32Array(COUNTER_COUNT);
	return new SleepService({
		...parts,
		clock: Time,
		controller,
		counts,
		counterAt: GATEWAY_COUNTER,
		diagnosis,
		frames,
		gateway,
		log,
		port: parkedSleep,
		words: AWAKE_WORDS,
		writes,
	});
}

function startServer(flash: Flash, { history, maps }: Stored, car: Car, services: Services): HttpService {
	const { bootLoop, bootReason, log, problems, version, writes } = flash;
	const { changes, controller, diagnosis, frames, gateway, learning } = car;
	const { analyzer, network, owner, sleep, updater } = services;
	const context: ApiContext = {
		analyzer,
		bootLoop,
		bootReason,
		changes,
		controller,
		diagnosis,
		frames,
		hasHeap,
		heapFigure,
		history,
		later,
		learning,
		log,
		maps,
		network,
		owner,
		sleep,
		updater,
		version,
		writes,
		boardControls: boardControls.areThere,
		boardInputs: () => boardControls.read(),
		commit: BUILT_FROM,
		dashboard: new Dashboard(frames),
		frameText: FRAME_TEXT,
		gatewayCounters: () => countersByName(gateway),
		revisions: new Revisions(),
		storageProblems: problems.entries,
		underWay: { events: 0, dumps: 0 },
	};
	const page = siteRoute(ASSETS, (request) => (isOwnHost(request) ? "" : addressInstead(request, network)));
	const http = new HttpService({
		Listener,
		TCP,
		port: config.httpPort,
		clock: Time,
		later,
		hasHeap,
		router: new ApiRouter(context, ROUTES, page),
		onFault: (error) => log.write("ERROR", "http", String(error)),
		onListening(port) {
			log.write("EVENT", "http", `the server listens on port ${port}`);
			trace(`listening on http://127.0.0.1:${port}\n`);
		},
	});
	Timer.repeat(() => http.tick(Time.ticks), HTTP_TICK_MS);
	return http;
}

function countersByName(gateway: CanGateway): Readonly<Record<string, number>> {
	const counts = new Uint32Array(COUNTER_COUNT);
	gateway.counters(counts);
	const byName: Record<string, number> = {};
	let name: keyof typeof GATEWAY_COUNTER;
	for (name in GATEWAY_COUNTER) byName[name] = counts[GATEWAY_COUNTER[name]];
	return byName;
}

function watchCar(
	{ bootLoop, log }: Flash,
	{ changes, controller, learning }: Car,
	{ network, owner, updater, sleep }: Services,
): void {
	const events = bootLoop ? undefined : new EventLog(controller, changes, log);
	const bootKey = new BootKey();
	const stands = (): boolean => motionRejection(controller) === "";
	let ownerChanges = owner.changes;
	Timer.repeat(() => {
		if (!bootLoop) changes.observe(controller);
		events?.observe();
		if (boardControls.areThere) boardControls.light(ledColour(controller, Time.ticks));
		const keyHeld = isBootKeyHeld();
		const pressed = bootKey.tick(keyHeld, stands, Time.ticks);
		if (pressed === KeyAction.HELD) {
			network.reset();
			owner.reset();
		} else if (pressed === KeyAction.PRESSED) updater.allowOlder();
		if (owner.changes !== ownerChanges) learning.cancel(); // the client that began a calibration may have no key
		ownerChanges = owner.changes;
		learning.tick();
		if (updater.phase !== "idle") updater.tick();
		sleep.tick(keyHeld);
	}, WATCH_TICK_MS);
}

function watchNetwork({ bootLoop, log, writes }: Flash, { controller, diagnosis }: Car, services: Services): void {
	const { network, updater, analyzer, fetches } = services;
	const canLog = bootLoop ? undefined : new CanLog(FRAME_TEXT, log, Time, later, writes);
	const names = new NameService({
		formerName: config.formerName,
		open: openDatagrams,
		later,
		addresses: network,
		log: linesOf(log, "wifi"),
	});
	let wasOpen = false;
	const watchOpenNetwork = (): void => {
		const openNetwork = config.guardsOpenNetwork && !mayControl(network.wifi);
		if (openNetwork === wasOpen) return;
		wasOpen = openNetwork;
		controller.supervisor.setDoubts({ openNetwork });
	};
	watchOpenNetwork();
	Timer.repeat(() => {
		network.tick();
		names.tick();
		updater.tick();
		watchOpenNetwork();
		canLog?.observe();
		if (!bootLoop) {
			analyzer.observe(controller.settings.analyzerEnabled);
			diagnosis.look();
		}
		for (const fetch of fetches) fetch.tick();
	}, SLOW_TICK_MS);
}
