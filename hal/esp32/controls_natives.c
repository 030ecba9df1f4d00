/* Natives of io/board-controls.ts; the contract is in hal/board-controls-port.ts. */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include "controls_c6.h"

void xs_hal_controls_read(xsMachine *the)
{
	xsmcSetInteger(xsResult, controls_inputs(controls_c6(), controls_c6_now_ms()));
}

/* (rgb) */
void xs_hal_controls_light(xsMachine *the)
{
	controls_set_light(controls_c6(), (uint32_t)xsmcToInteger(xsArg(0)), controls_c6_now_ms());
}

/* (followed, inverted) */
void xs_hal_controls_follow(xsMachine *the)
{
	struct controls *controls = controls_c6();
	controls->inverted = (uint8_t)xsmcToInteger(xsArg(1));
	controls->followed = (uint8_t)xsmcToInteger(xsArg(0));
}
