/* See README.md. */
#pragma once
#include "esp_err.h"

typedef struct esp_netif_obj esp_netif_t;

esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *esp_netif);
