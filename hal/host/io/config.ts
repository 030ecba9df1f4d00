/** Moddable's mc/config on the host: what a board's manifest would say comes from the command line. */
export default Object.freeze({
	board: "host",
	pwmPin: 4, // T-2CAN has no fixed one; on the host it is a number
	httpPort: native<number>("host_config_http_port").call(undefined),
	analyzerPort: native<number>("host_config_analyzer_port").call(undefined),
	// this computer's interface is on the loopback address alone
	guardsOpenNetwork: native<boolean>("host_config_guards_open_network").call(undefined),
	makesNetworkKey: true,
	formerName: true,
	logFileBytes: 262_144,
	chipId: 0xffff, // esp_chip_id_t: none
	projectName: "opencoupling-host",
	updateUrl: native<string>("host_config_update_url").call(undefined),
	updateKey: native<string>("host_config_update_key").call(undefined),
});
