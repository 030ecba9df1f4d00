/* What is kept for a tester of ours. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

IN_RAM bool gateway_channel_keep(struct gateway *gateway, const struct gateway_frame *frame, uint64_t now_us)
{
	struct gateway_channel *channel = &gateway->channel;
	if (now_us >= channel->until_us || channel->count == GATEWAY_CHANNEL_FRAMES)
		return false;
	for (unsigned i = 0; i < channel->id_count; ++i)
		if (channel->ids[i] == frame->id) {
			channel->frames[(channel->first + channel->count++) % GATEWAY_CHANNEL_FRAMES] = *frame;
			++gateway->counters[GATEWAY_KEPT_BACK];
			return true;
		}
	return false;
}

void gateway_channel_open(struct gateway *gateway, const uint32_t *ids, unsigned count, uint64_t now_us)
{
	struct gateway_channel *channel = &gateway->channel;
	memcpy(channel->ids, ids, count * sizeof *ids);
	channel->id_count = (uint8_t)count;
	channel->until_us = now_us + GATEWAY_CHANNEL_LEASE_US;
}

void gateway_channel_close(struct gateway *gateway)
{
	gateway->channel.until_us = 0;
	gateway->channel.count = 0;
}

bool gateway_channel_take(struct gateway *gateway, struct gateway_frame *into, uint64_t now_us)
{
	struct gateway_channel *channel = &gateway->channel;
	if (channel->until_us)
		channel->until_us = now_us + GATEWAY_CHANNEL_LEASE_US;
	if (!channel->count)
		return false;
	*into = channel->frames[channel->first];
	channel->first = (uint8_t)((channel->first + 1) % GATEWAY_CHANNEL_FRAMES);
	--channel->count;
	return true;
}
