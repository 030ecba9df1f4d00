/* See controls.h. */
#include "controls.h"

/* WS2812B: high for 0.4 us and low for 0.85 us is a 0, 0.8 us and 0.45 us a 1, each within 0.15 us. */
#define SYMBOL(high, low) (0x8000u | (high) | (uint32_t)(low) << 16)
#define ZERO SYMBOL(4, 9)
#define ONE SYMBOL(8, 5)

uint8_t controls_poll(struct controls *controls, uint8_t inputs, uint32_t now_ms)
{
	uint8_t same = controls->was_read ? (uint8_t)~(controls->seen ^ inputs) & CONTROLS_INPUTS : 0;
	controls->stable = (uint8_t)((controls->stable & ~same) | (inputs & same));
	controls->known |= same;
	controls->seen = inputs;
	controls->was_read = true;
	controls->read_ms = now_ms;
	uint8_t follow = controls->followed & controls->known & (CONTROLS_BRAKE | CONTROLS_HANDBRAKE);
	controls->outputs = (controls->stable ^ controls->inverted) & follow;
	return controls->outputs;
}

int controls_inputs(const struct controls *controls, uint32_t now_ms)
{
	bool is_known = controls->known == CONTROLS_INPUTS && now_ms - controls->read_ms < CONTROLS_LOST_MS;
	return is_known ? controls->stable : CONTROLS_UNKNOWN;
}

void controls_set_light(struct controls *controls, uint32_t rgb, uint32_t now_ms)
{
	controls->light = rgb;
	controls->lit_ms = now_ms;
}

uint32_t controls_light(const struct controls *controls, uint32_t now_ms)
{
	return now_ms - controls->lit_ms < CONTROLS_LIGHT_MS ? controls->light : 0;
}

void controls_encode(uint32_t rgb, uint32_t symbols[CONTROLS_SYMBOLS])
{
	for (unsigned i = 0; i < CONTROLS_SYMBOLS - 1; ++i)
		symbols[i] = rgb & 0x800000u >> i ? ONE : ZERO;
	symbols[CONTROLS_SYMBOLS - 1] = 0;
}
