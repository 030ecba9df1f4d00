/* Wiring and sizes of the OpenHaldex-C6 board; source of the pins: README.md "Wiring". */
#include "esp_netif.h"
#include "gateway_esp32.h"

const struct gateway_board gateway_board_c6 = {
	.twai = {
		[GATEWAY_CHASSIS] = {.tx = GPIO_NUM_3, .rx = GPIO_NUM_23, .standby = GPIO_NUM_2},
		[GATEWAY_COUPLING] = {.tx = GPIO_NUM_21, .rx = GPIO_NUM_20, .standby = GPIO_NUM_22},
	},
	.latest_ids = 192,   /* 12 KB */
	.ring_records = 256, /* 8 KB: 28 ms of two full buses */
	.core = 0,           /* the only one */
};

/*
 * For an image without IPv6 (`CONFIG_LWIP_IPV6=n`): Moddable's Wi-Fi module asks for a link-local address all
 * the same, and does not wait for one when that fails.
 */
esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *netif)
{
	(void)netif;
	return ESP_FAIL;
}
