/* A board's own controls: what is believed of the inputs, what the outputs do, and the bits of the LED. */
#include "controls.h"

#include "testing.h"

static struct controls controls;
static uint32_t now_ms;

static void begin(void)
{
	memset(&controls, 0, sizeof controls);
	now_ms = 0;
}

/* Looks at the inputs, 10 ms after the last time. Returns the outputs. */
static uint8_t look(unsigned inputs)
{
	return controls_poll(&controls, (uint8_t)inputs, now_ms += CONTROLS_PERIOD_MS);
}

TEST(controls_inputs_settle, "an input is what two readings in a row said, and each by itself")
{
	begin();
	EQUAL(controls_inputs(&controls, now_ms), CONTROLS_UNKNOWN);
	look(CONTROLS_BRAKE);
	EQUAL(controls_inputs(&controls, now_ms), CONTROLS_UNKNOWN);
	look(CONTROLS_BRAKE);
	EQUAL(controls_inputs(&controls, now_ms), CONTROLS_BRAKE);
	for (unsigned i = 0; i < 50; ++i) {
		look(i & 1 ? CONTROLS_BRAKE : CONTROLS_BRAKE | CONTROLS_MODE_BUTTON | CONTROLS_HANDBRAKE);
		EQUAL(controls_inputs(&controls, now_ms), CONTROLS_BRAKE);
	}
	look(CONTROLS_EXTERNAL_BUTTON);
	look(CONTROLS_EXTERNAL_BUTTON);
	EQUAL(controls_inputs(&controls, now_ms), CONTROLS_EXTERNAL_BUTTON);
}

TEST(controls_inputs_lost, "nothing is known of inputs that were not read for 100 ms")
{
	begin();
	look(0);
	look(0);
	EQUAL(controls_inputs(&controls, now_ms + CONTROLS_LOST_MS - 1), 0);
	EQUAL(controls_inputs(&controls, now_ms + CONTROLS_LOST_MS), CONTROLS_UNKNOWN);
	look(0);
	EQUAL(controls_inputs(&controls, now_ms), 0);
}

TEST(controls_outputs_rest, "an output that does not follow is low, whatever its input is, and whatever is inverted")
{
	begin();
	controls.inverted = CONTROLS_INPUTS;
	for (unsigned inputs = 0; inputs <= CONTROLS_INPUTS; ++inputs)
		for (unsigned i = 0; i < 3; ++i)
			EQUAL(look(inputs), 0);
}

TEST(controls_outputs_unknown, "an output does nothing before its input was read twice, not even an inverted one")
{
	begin();
	controls.followed = controls.inverted = CONTROLS_BRAKE | CONTROLS_HANDBRAKE;
	EQUAL(look(CONTROLS_BRAKE), 0);
	EQUAL(look(CONTROLS_HANDBRAKE), 0);
	EQUAL(look(CONTROLS_HANDBRAKE), CONTROLS_BRAKE);
}

TEST(controls_outputs_follow, "an output follows its input within two readings, each its own and no button")
{
	begin();
	controls.followed = CONTROLS_BRAKE | CONTROLS_HANDBRAKE | CONTROLS_MODE_BUTTON;
	controls.inverted = CONTROLS_HANDBRAKE;
	look(0);
	EQUAL(look(0), CONTROLS_HANDBRAKE);
	EQUAL(look(CONTROLS_BRAKE), CONTROLS_HANDBRAKE);
	EQUAL(look(CONTROLS_BRAKE), CONTROLS_BRAKE | CONTROLS_HANDBRAKE);
	look(CONTROLS_HANDBRAKE | CONTROLS_MODE_BUTTON);
	EQUAL(look(CONTROLS_HANDBRAKE | CONTROLS_MODE_BUTTON), 0);
	controls.followed = CONTROLS_BRAKE;
	look(CONTROLS_BRAKE);
	EQUAL(look(CONTROLS_BRAKE), CONTROLS_BRAKE);
}

TEST(controls_light_goes_out, "a colour that is not renewed goes out after a second")
{
	begin();
	now_ms = UINT32_MAX - 10; /* the clock begins anew meanwhile */
	EQUAL(controls_light(&controls, now_ms), 0);
	controls_set_light(&controls, 0x123456, now_ms);
	EQUAL(controls_light(&controls, now_ms + CONTROLS_LIGHT_MS - 1), 0x123456);
	EQUAL(controls_light(&controls, now_ms + CONTROLS_LIGHT_MS), 0);
}

TEST(controls_symbols, "24 bits of a colour are sent, red first, the highest bit first, each within a WS2812B's limits")
{
	uint32_t symbols[CONTROLS_SYMBOLS];
	uint32_t read = 0;
	controls_encode(0x8000ffu ^ 0x10000u, symbols);
	for (unsigned i = 0; i < 24; ++i) {
		unsigned high = symbols[i] & 0x7fff, low = symbols[i] >> 16 & 0x7fff;
		bool is_one = high > low;
		CHECK((symbols[i] & 0x80008000u) == 0x8000u); /* high, then low */
		CHECK(is_one ? high >= 7 && high <= 9 && low >= 3 && low <= 6 : high >= 3 && high <= 5 && low >= 7 && low <= 10);
		read = read << 1 | is_one;
	}
	EQUAL(read, 0x8100ff);
	EQUAL(symbols[24], 0);
}
