/* Option parsing for sockets (see socket.h). */
#include "socket.h"

#include <arpa/inet.h>

struct in_addr socket_address(xsMachine *the, xsSlot *slot)
{
	struct in_addr address;
	if (inet_pton(AF_INET, fxToString(the, slot), &address) != 1)
		xsUnknownError("invalid address");
	return address;
}

in_port_t socket_port(xsMachine *the, xsSlot *slot)
{
	double port = fxToNumber(the, slot);
	if (!(port >= 0 && port <= 65535 && port == (double)(int)port))
		xsRangeError("invalid port");
	return (in_port_t)port;
}

xsSlot *socket_callback(xsMachine *the, xsSlot *options, xsIdentifier id)
{
	xsSlot value;
	_xsGet(the, &value, options, id);
	if (fxTypeOf(the, &value) == xsUndefinedType)
		return NULL;
	if (!fxIsCallable(the, &value))
		xsTypeError("callback is no function");
	return fxToReference(the, &value);
}
