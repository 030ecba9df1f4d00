#include "esp_err.h"
typedef enum { ESP_RST_UNKNOWN, ESP_RST_POWERON, ESP_RST_EXT, ESP_RST_SW, ESP_RST_PANIC } esp_reset_reason_t; /* and more */
typedef void (*shutdown_handler_t)(void);
esp_reset_reason_t esp_reset_reason(void);
esp_err_t esp_register_shutdown_handler(shutdown_handler_t handle);
void esp_restart(void);
