/*
 * Driver of a TWAI controller of the chip at 500 kbit/s, on its registers (hal/twai_ll.h). A frame is
 * received, put through the gateway and handed to the other controller in the interrupt; README.md "TWAI"
 * says how, and why not through ESP-IDF's driver. One controller's calls never overlap: they come from the
 * interrupt, or from the gateway's task while it has the gateway's lock, which keeps the interrupt away. The
 * struct must lie in internal RAM.
 */
#ifndef OPENCOUPLING_TWAI_H
#define OPENCOUPLING_TWAI_H

#include "bridge.h"
#include "hal/twai_ll.h"

#define TWAI_QUANTA_HZ 10000000u /* 20 quanta in a bit */
#define TWAI_ABORT_US 5000u      /* aborting a frame takes at most one frame; longer means that the controller hangs */
#define TWAI_FIFO_FRAMES 64u     /* more than fit: an interrupt ends even if the controller always says that there is one more */

/* 32 bits each, modulo 2^32, never reset. */
struct twai_counters {
	uint32_t starts;     /* times set up, the first one included */
	uint32_t overruns;   /* frames that found the controller's buffer full */
	uint32_t aborts;     /* frames that could not be sent in time */
	uint32_t hangs;      /* of these, those that the controller did not let go of */
	uint32_t errors;     /* error frames, ours or others' */
};

/* One controller. Only the functions below write to it. */
struct twai {
	twai_dev_t *device;   /* NULL: not started */
	struct gateway *gateway;
	struct twai *other;   /* controller of the other bus; NULL: the task serves that one */
	uint8_t bus;
	uint16_t brp;         /* as given to twai_start() */
	bool off;             /* bus-off, until recovered */
	bool went_off;        /* and the task has not heard of it yet */
	bool silent;          /* did not answer when it was to be set up: nothing is handed to it, and it counts as bus-off */
	bool sending;         /* it has the core's outstanding frame */
	bool aborting;
	uint64_t handed_us;   /* when the controller got that frame */
	uint64_t abort_until_us;
	struct twai_counters counters;
};

/* For bus 0 or 1 of this gateway, which stays in use. Nothing is spoken to yet. */
void twai_init(struct twai *twai, struct gateway *gateway, unsigned bus);

/*
 * Takes the gateway's lock, sets the controller up and lets it join the bus. brp: clock of the controller /
 * TWAI_QUANTA_HZ. Returns false if it does not answer.
 */
bool twai_start(struct twai *twai, twai_dev_t *device, unsigned brp);

/*
 * Whatever the controller has to say: received frames, a frame sent, errors; then both controllers get what
 * waits for them. Returns whether the task is to be woken: a bus went off or returned, or a frame waits for a
 * controller that the task serves.
 */
bool twai_interrupt(struct twai *twai, uint64_t now_us);

/*
 * Keeps the controller from calling until the next twai_service(): for an interrupt that must not wait for
 * the lock.
 */
void twai_silence(struct twai *twai);

/*
 * Hands over the next frame if the controller can take one; drops one that it cannot send in time. Nothing
 * before twai_start().
 */
void twai_send(struct twai *twai, uint64_t now_us);

/*
 * In the task: all this once more, and what takes a hung controller to. Returns when to be called again at
 * the latest.
 */
uint64_t twai_service(struct twai *twai, uint64_t now_us);

/* A bus-off is reported at least once, however short it was. */
enum bus_recovery_report twai_report(struct twai *twai);

/*
 * Starts the recovery from bus-off. lasting: it was tried for 3 s without success, so the controller is set
 * up anew.
 */
void twai_recover(struct twai *twai, bool lasting);

/* twai_service() and what follows it, and twai_send(), for the bridge. */
extern const struct twai_class twai_class;

#endif
