#include "esp_err.h"
#include "freertos/task.h"
esp_err_t esp_task_wdt_add(TaskHandle_t task); /* NULL: the calling one */
esp_err_t esp_task_wdt_reset(void);
