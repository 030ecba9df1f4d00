/* Native of io/ethernet.ts: QEMU's network card, which ESP-IDF's `openeth` drives. */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include "esp_eth.h"
#include "esp_event.h"
#include "esp_netif.h"

/* Starts it once; QEMU's DHCP server tells the address. */
void xs_esp32_ethernet(xsMachine *the)
{
	const eth_mac_config_t mac = ETH_MAC_DEFAULT_CONFIG();
	const eth_phy_config_t phy = ETH_PHY_DEFAULT_CONFIG();
	const esp_netif_config_t interface = ESP_NETIF_DEFAULT_ETH();
	esp_eth_handle_t driver;
	if (esp_netif_init() != ESP_OK || esp_event_loop_create_default() != ESP_OK)
		xsUnknownError("no network");
	esp_netif_t *netif = esp_netif_new(&interface);
	esp_eth_config_t config = ETH_DEFAULT_CONFIG(esp_eth_mac_new_openeth(&mac), esp_eth_phy_new_generic(&phy));
	if (esp_eth_driver_install(&config, &driver) != ESP_OK || esp_netif_attach(netif, esp_eth_new_netif_glue(driver)) != ESP_OK ||
		esp_eth_start(driver) != ESP_OK)
		xsUnknownError("no Ethernet");
}
