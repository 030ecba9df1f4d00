/* See README.md. */
#pragma once
#include "esp_err.h"

typedef struct esp_eth_mac esp_eth_mac_t;
typedef struct esp_eth_phy esp_eth_phy_t;
typedef struct esp_eth_driver *esp_eth_handle_t;
typedef struct {
	uint32_t rx_task_stack_size;
} eth_mac_config_t;
typedef struct {
	int32_t phy_addr;
} eth_phy_config_t;
typedef struct {
	esp_eth_mac_t *mac;
	esp_eth_phy_t *phy;
} esp_eth_config_t;
#define ETH_MAC_DEFAULT_CONFIG() {.rx_task_stack_size = 2048}
#define ETH_PHY_DEFAULT_CONFIG() {.phy_addr = -1}
#define ETH_DEFAULT_CONFIG(emac, ephy) {.mac = emac, .phy = ephy}
esp_eth_mac_t *esp_eth_mac_new_openeth(const eth_mac_config_t *config);
esp_eth_phy_t *esp_eth_phy_new_generic(const eth_phy_config_t *config);
esp_err_t esp_eth_driver_install(const esp_eth_config_t *config, esp_eth_handle_t *driver);
void *esp_eth_new_netif_glue(esp_eth_handle_t driver);
esp_err_t esp_eth_start(esp_eth_handle_t driver);
