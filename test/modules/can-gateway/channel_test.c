/* The channel to the coupling's control unit, and frames of our own. */
#include "testing.h"

static const uint32_t ids[] = {0x779, 0x9C42000F};
static const uint32_t testers[][2] = {{0x700, 0x71F}, {0x98DA0000, 0x98DBFFFF}};

static void open_channel(void)
{
	gateway_channel_open(&gateway, ids, 2, testers, 2, now_us);
}

TEST(channel_keeps, "a channel keeps frames of its identifiers from the chassis, and only those of the coupling")
{
	struct gateway_frame kept;
	open_channel();
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1 2 3"));
	CHECK(!receive(GATEWAY_COUPLING, 0x9C42000F, "4"));
	CHECK(receive(GATEWAY_COUPLING, 0x778, "5"));
	CHECK(receive(GATEWAY_CHASSIS, 0x779, "6"));
	struct gateway_frame remote = {.id = 0x779 | GATEWAY_REMOTE, .dlc = 0};
	CHECK(receive_frame(GATEWAY_COUPLING, &remote));
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(kept.id, 0x779);
	EQUAL(kept.dlc, 3);
	BYTES(kept.data, 1, 2, 3);
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(kept.id, 0x9C42000F);
	CHECK(!gateway_channel_take(&gateway, &kept, now_us));
	EQUAL(COUNT(KEPT_BACK), 2);
	EQUAL(COUNT(RECEIVED_COUPLING), 4);
	EQUAL(latest_at(0)->received.count, 1);
	EQUAL(latest_at(0)->sent.count, 0);
}

TEST(channel_lease, "a channel that nobody reads from for a second keeps nothing back any more")
{
	struct gateway_frame kept;
	open_channel();
	now_us += 999 * MS;
	CHECK(!gateway_channel_take(&gateway, &kept, now_us)); /* renews */
	now_us += 999 * MS;
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	now_us += 1 * MS;
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
}

TEST(channel_close, "a closed channel forgets what it kept, and taking does not open it again")
{
	struct gateway_frame kept;
	open_channel();
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	gateway_channel_close(&gateway);
	CHECK(!gateway_channel_take(&gateway, &kept, now_us));
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
}

TEST(channel_gives_way, "a tester's frame on either bus closes the channel before its answer, and it is opened only after it was closed")
{
	static const struct {
		unsigned bus;
		uint32_t id;
	} frames[] = {{GATEWAY_CHASSIS, 0x700}, {GATEWAY_COUPLING, 0x71F}, {GATEWAY_CHASSIS, 0x98DB33F1}};
	struct gateway_frame kept;
	for (unsigned i = 0; i < 3; ++i) {
		open_channel();
		CHECK(receive(GATEWAY_CHASSIS, 0x6FF, "1"));
		CHECK(receive(GATEWAY_CHASSIS, 0x720, "1"));
		CHECK(receive(GATEWAY_CHASSIS, 0x779, "1"));
		CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
		CHECK(!gateway_channel_gave_way(&gateway));
		CHECK(receive(frames[i].bus, frames[i].id, "2 3E 0"));
		CHECK(gateway_channel_gave_way(&gateway));
		CHECK(receive(GATEWAY_COUPLING, 0x779, "2 7E 0"));
		CHECK(!gateway_channel_take(&gateway, &kept, now_us));
		open_channel();
		CHECK(receive(GATEWAY_COUPLING, 0x779, "2 7E 0"));
		gateway_channel_close(&gateway);
		CHECK(!gateway_channel_gave_way(&gateway));
	}
	CHECK(receive(GATEWAY_CHASSIS, 0x700, "1"));
	CHECK(!gateway_channel_gave_way(&gateway));
}

TEST(channel_full, "a frame that does not fit in the channel is forwarded, and space that was freed is used")
{
	struct gateway_frame kept;
	open_channel();
	for (unsigned i = 0; i < GATEWAY_CHANNEL_FRAMES; ++i)
		CHECK(!receive(GATEWAY_COUPLING, 0x779, "1"));
	CHECK(receive(GATEWAY_COUPLING, 0x779, "2"));
	CHECK(send_next(GATEWAY_CHASSIS));
	CHECK(gateway_channel_take(&gateway, &kept, now_us));
	CHECK(!receive(GATEWAY_COUPLING, 0x779, "3"));
	for (unsigned i = 0; i < GATEWAY_CHANNEL_FRAMES; ++i)
		CHECK(gateway_channel_take(&gateway, &kept, now_us));
	BYTES(kept.data, 3);
}

TEST(own_frame, "a frame of our own is queued like any other, and not when its bus does not run")
{
	static const _Alignas(8) uint8_t data[8] = {3, 0x22, 0xF1, 0x9E, 9, 9, 9, 9};
	CHECK(gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 4, now_us));
	const struct gateway_frame *sent = send_next(GATEWAY_COUPLING);
	EQUAL(sent->id, 0x70F);
	EQUAL(sent->dlc, 4);
	BYTES(sent->data, 3, 0x22, 0xF1, 0x9E, 0, 0, 0, 0);
	EQUAL(COUNT(CYCLIC_SENT), 1);
	CHECK(gateway_send(&gateway, GATEWAY_CHASSIS, 0x70F, data, 8, now_us));
	BYTES(send_next(GATEWAY_CHASSIS)->data, 3, 0x22, 0xF1, 0x9E, 9, 9, 9, 9);
	gateway_set_bus_state(&gateway, GATEWAY_COUPLING, GATEWAY_BUS_OFF);
	CHECK(!gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 4, now_us));
}

TEST(received_age, "it is known when a frame of a range of identifiers was last received on a bus, ours not counted")
{
	static const _Alignas(8) uint8_t data[8];
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	gateway_send(&gateway, GATEWAY_COUPLING, 0x70F, data, 8, now_us);
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	CHECK(receive(GATEWAY_CHASSIS, 0x71F, "1"));
	now_us += 3 * MS;
	CHECK(receive(GATEWAY_CHASSIS, 0x700, "1"));
	CHECK(receive(GATEWAY_CHASSIS, 0x720, "1"));
	now_us += 2 * MS;
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), 2 * MS);
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x71F, 0x71F, now_us), 5 * MS);
	EQUAL(gateway_received_age(&gateway, GATEWAY_COUPLING, 0x700, 0x71F, now_us), GATEWAY_NEVER);
	CHECK(receive(GATEWAY_CHASSIS, 0x98DB33F1, "1"));
	now_us += 1 * MS;
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x98DA0000, 0x98DBFFFF, now_us), 1 * MS);
	CHECK(receive(GATEWAY_CHASSIS, 0x71F, "1"));
	EQUAL(gateway_received_age(&gateway, GATEWAY_CHASSIS, 0x700, 0x71F, now_us), 0);
}
