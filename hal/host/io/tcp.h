/* What tcp.c has for listener.c and the report. */
#ifndef OPENCOUPLING_IO_TCP_H
#define OPENCOUPLING_IO_TCP_H

#include <netinet/in.h>

#include "../host.h"

/* Reads 0..65535. Throws RangeError "invalid port". */
in_port_t socket_port(xsMachine *the, xsSlot *slot);

/*
 * The function in options[id], or NULL. Throws TypeError if it is something else. The options keep it alive
 * until the caller does.
 */
xsSlot *socket_callback(xsMachine *the, xsSlot *options, xsIdentifier id);

/* Makes the empty TCP object in `slot` own a connected non-blocking socket. */
void tcp_adopt(xsMachine *the, xsSlot *slot, int fd);

/* What all connections together have handed to the kernel since the start. */
extern uint64_t tcp_sent_bytes;

#endif
