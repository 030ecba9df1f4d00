/* What is kept for a tester of ours. See gateway_core.h. */
#include "gateway_internal.h"

#include <string.h>

IN_RAM static bool is_of_tester(const struct gateway_channel *channel, uint32_t id)
{
	for (unsigned i = 0; i < channel->tester_count; ++i)
		if (id >= channel->testers[i][0] && id <= channel->testers[i][1])
			return true;
	return false;
}

IN_RAM bool gateway_channel_keep(struct gateway *gateway, unsigned bus, const struct gateway_frame *frame, uint64_t now_us)
{
	struct gateway_channel *channel = &gateway->channel;
	if (is_of_tester(channel, frame->id)) {
		channel->until_us = 0;
		channel->count = 0;
		channel->yielded = true;
		gateway_update_attention(gateway);
		return false;
	}
	if (bus != GATEWAY_COUPLING || now_us >= channel->until_us || channel->count == GATEWAY_CHANNEL_FRAMES)
		return false;
	for (unsigned i = 0; i < channel->id_count; ++i)
		if (channel->ids[i] == frame->id) {
			channel->frames[(channel->first + channel->count++) % GATEWAY_CHANNEL_FRAMES] = *frame;
			++gateway->counters[GATEWAY_KEPT_BACK];
			return true;
		}
	return false;
}

void gateway_channel_open(struct gateway *gateway, const uint32_t *ids, unsigned count, const uint32_t (*testers)[2], unsigned tester_count,
	uint64_t now_us)
{
	struct gateway_channel *channel = &gateway->channel;
	if (channel->yielded)
		return;
	memcpy(channel->ids, ids, count * sizeof *ids);
	memcpy(channel->testers, testers, tester_count * sizeof *testers);
	channel->id_count = (uint8_t)count;
	channel->tester_count = (uint8_t)tester_count;
	channel->until_us = now_us + GATEWAY_CHANNEL_LEASE_US;
	gateway_update_attention(gateway);
}

bool gateway_channel_yielded(const struct gateway *gateway)
{
	return gateway->channel.yielded;
}

void gateway_channel_close(struct gateway *gateway)
{
	gateway->channel.until_us = 0;
	gateway->channel.count = 0;
	gateway->channel.yielded = false;
	gateway_update_attention(gateway);
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
