/* See README.md. */
#pragma once
#include "esp_err.h"

typedef struct esp_netif_obj esp_netif_t;

esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *esp_netif);
typedef struct {
	uint32_t addr;
} esp_ip4_addr_t;
typedef struct {
	esp_ip4_addr_t ip;
} esp_netif_ip_info_t;
esp_netif_t *esp_netif_get_handle_from_ifkey(const char *key);
bool esp_netif_is_netif_up(esp_netif_t *netif);
esp_err_t esp_netif_get_ip_info(esp_netif_t *netif, esp_netif_ip_info_t *info);
char *esp_ip4addr_ntoa(const esp_ip4_addr_t *address, char *text, int size);

/* As ESP-IDF's esp_netif_defaults.h has it. */
typedef struct esp_netif_inherent_config esp_netif_inherent_config_t;
typedef struct esp_netif_netstack_config esp_netif_netstack_config_t;
typedef struct {
	const esp_netif_inherent_config_t *base;
	const void *driver;
	const esp_netif_netstack_config_t *stack;
} esp_netif_config_t;
extern const esp_netif_inherent_config_t _g_esp_netif_inherent_eth_config;
extern const esp_netif_netstack_config_t *_g_esp_netif_netstack_default_eth;
#define ESP_NETIF_DEFAULT_ETH() {.base = &_g_esp_netif_inherent_eth_config, .driver = NULL, .stack = _g_esp_netif_netstack_default_eth}
esp_err_t esp_netif_init(void);
esp_netif_t *esp_netif_new(const esp_netif_config_t *config);
esp_err_t esp_netif_attach(esp_netif_t *netif, void *driver);
