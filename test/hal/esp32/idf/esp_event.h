/* See README.md. */
#pragma once
#include "esp_err.h"

esp_err_t esp_event_loop_create_default(void);
typedef const char *esp_event_base_t;
typedef void (*esp_event_handler_t)(void *argument, esp_event_base_t base, int32_t id, void *data);
esp_err_t esp_event_handler_register(esp_event_base_t base, int32_t id, esp_event_handler_t handler, void *argument);
