/** Moddable's Flash on the host, which Update asks for: there is one slot to write to. */
export default Object.freeze({
	open(): object {
		return {};
	},
});
