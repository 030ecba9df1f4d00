/*
 * For images without IPv6 (`CONFIG_LWIP_IPV6=n`): Moddable's Wi-Fi module asks for a link-local address all
 * the same, and does not wait for one when that fails.
 */
#include "esp_netif.h"

esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *netif)
{
	(void)netif;
	return ESP_FAIL;
}
