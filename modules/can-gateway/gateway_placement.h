/*
 * Where code lies on a chip. What the interrupt of a CAN controller runs must lie in internal RAM: while the
 * flash is erased or written nothing else can be fetched. A test looks at the object code
 * (test/hal/esp32/drivers.test.ts).
 */
#ifndef OPENCOUPLING_GATEWAY_PLACEMENT_H
#define OPENCOUPLING_GATEWAY_PLACEMENT_H

#if ESP_PLATFORM
#include "esp_attr.h"
#define IN_RAM IRAM_ATTR
#else
#define IN_RAM
#endif

/* For functions in headers: never a copy of their own, which would lie in flash. */
#define IN_LINE static inline __attribute__((always_inline))

#endif
