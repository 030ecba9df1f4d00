/* What interrupt.ts runs on its rv32: the gateway between two TWAI controllers, as on the C6. */
#include "gateway_driver.h"
#include "twai.h"

#define LEASE_MS 240
#define CONTROLLERS ((twai_dev_t *)0x60000000)

static struct gateway gateway;
static struct gateway_latest latest[193];
static struct gateway_record ring[256];
static struct twai twai[GATEWAY_BUSES];

struct gateway_locked gateway_driver_lock(void)
{
	return (struct gateway_locked){.gateway = &gateway};
}

void gateway_driver_unlock(void)
{
}

/* Returns whether all is well. */
bool set_up(const uint8_t *plan, size_t plan_bytes, const uint8_t *watch, size_t watch_bytes)
{
	int item;
	gateway_init(&gateway, latest, 192, ring, 256);
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		twai_init(&twai[bus], &gateway, bus);
		twai[bus].other = &twai[bus ^ 1];
		if (!twai_start(&twai[bus], CONTROLLERS + bus, 4))
			return false;
		gateway_set_bus_state(&gateway, bus, GATEWAY_ERROR_ACTIVE);
	}
	uint8_t sample[GATEWAY_SAMPLE_HEADER_BYTES];
	gateway_sample(&gateway, sample, 0); /* tells of the start */
	return !gateway_load_plan(&gateway, plan, plan_bytes, &item) && !gateway_watch(&gateway, watch, watch_bytes, &item);
}

void commit(uint32_t factor, uint32_t now_low, uint32_t now_high)
{
	gateway_commit(&gateway, factor, 0xFF, LEASE_MS, (uint64_t)now_high << 32 | now_low);
}

bool interrupt(unsigned bus, uint32_t now_low, uint32_t now_high)
{
	return twai_interrupt(&twai[bus], (uint64_t)now_high << 32 | now_low);
}

uint32_t counter(unsigned number)
{
	return gateway.counters[number];
}
