#pragma once
#include "lwip/tcp.h"
struct tcpip_api_call_data {
	err_t err;
};
typedef err_t (*tcpip_api_call_fn)(struct tcpip_api_call_data *call);
err_t tcpip_api_call(tcpip_api_call_fn what, struct tcpip_api_call_data *call);
