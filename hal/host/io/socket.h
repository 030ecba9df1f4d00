/* What tcp.c and listener.c share. */
#ifndef OPENCOUPLING_IO_SOCKET_H
#define OPENCOUPLING_IO_SOCKET_H

#include <netinet/in.h>

#include "../host.h"

/* Reads an IPv4 address in text form; the boards know no names here either. Throws "invalid address". */
struct in_addr socket_address(xsMachine *the, xsSlot *slot);

/* Reads 0..65535. Throws RangeError "invalid port". */
in_port_t socket_port(xsMachine *the, xsSlot *slot);

/*
 * The function in options[id], or NULL. Throws TypeError if it is something else. The options keep it alive
 * until the caller does.
 */
xsSlot *socket_callback(xsMachine *the, xsSlot *options, xsIdentifier id);

/* Makes the empty TCP object in `slot` own a connected non-blocking socket. */
void tcp_adopt(xsMachine *the, xsSlot *slot, int fd);

#endif
