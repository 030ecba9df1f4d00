/*
 * A board's own controls: buttons, brake and handbrake with their outputs, an RGB LED. The portable part:
 * the owner of the pins calls it 100 times a second, whatever the script does, so that an output follows its
 * input while that hangs.
 */
#ifndef OPENCOUPLING_CONTROLS_H
#define OPENCOUPLING_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

#define CONTROLS_PERIOD_MS 10u /* an input counts after two readings: an output follows within 20 ms, as docs/decisions.md 42 says */
/*
 * Inputs that were not read for this long are unknown. An erase of the flash blocks the timer that reads
 * them for 45 ms (README.md "While flash is written"), which a held button must outlast.
 */
#define CONTROLS_LOST_MS 100u
#define CONTROLS_LIGHT_MS 1000u /* a colour that is not renewed goes out: the script hangs, and its mode is not active any more */
#define CONTROLS_UNKNOWN (-1)

/* Bits of inputs; those of outputs are the same. As in hal/ports.ts. */
enum { CONTROLS_MODE_BUTTON = 1, CONTROLS_EXTERNAL_BUTTON = 2, CONTROLS_BRAKE = 4, CONTROLS_HANDBRAKE = 8, CONTROLS_INPUTS = 15 };

/* Zero at first: nothing was read, all outputs are low. */
struct controls {
	uint8_t seen, stable, known; /* bits of the last reading; what two in a row said, and of which inputs two did */
	volatile uint8_t followed, inverted; /* bits of outputs; written by JavaScript */
	uint8_t outputs;
	bool was_read;
	volatile uint32_t read_ms, lit_ms; /* modulo 2^32 */
	volatile uint32_t light; /* 0xRRGGBB */
};

/*
 * Takes a reading of all inputs. An output is low unless it follows, and until two readings of its input were
 * the same; then it is what the input is, or the other way round. inputs: CONTROLS_ bits, 1 = pressed or on.
 * Only the one timer calls it. Returns the outputs to be set.
 */
uint8_t controls_poll(struct controls *controls, uint8_t inputs, uint32_t now_ms);

/*
 * The inputs as two readings in a row said, or CONTROLS_UNKNOWN before that and when the last one is older
 * than CONTROLS_LOST_MS.
 */
int controls_inputs(const struct controls *controls, uint32_t now_ms);

/* The colour of the LED, 0xRRGGBB, from now on and for CONTROLS_LIGHT_MS; by JavaScript's thread. */
void controls_set_light(struct controls *controls, uint32_t rgb, uint32_t now_ms);
/* The colour that is to be seen now, 0 = dark. */
uint32_t controls_light(const struct controls *controls, uint32_t now_ms);

/*
 * A colour as a WS2812 wants it, in symbols of the RMT with ticks of 100 ns: level and time twice, 16 bits
 * each; the last one ends it.
 */
#define CONTROLS_SYMBOLS 25u
void controls_encode(uint32_t rgb, uint32_t symbols[CONTROLS_SYMBOLS]);

#endif
