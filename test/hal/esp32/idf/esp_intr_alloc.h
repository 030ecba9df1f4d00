#ifndef ESP_INTR_ALLOC_H
#define ESP_INTR_ALLOC_H
#include "esp_err.h"
#define ESP_INTR_FLAG_IRAM (1 << 10)
#define ESP_INTR_FLAG_LOWMED (7 << 1)
typedef struct intr_handle_data_t *intr_handle_t;
esp_err_t esp_intr_alloc(int source, int flags, void (*handler)(void *arg), void *arg, intr_handle_t *ret_handle);
esp_err_t esp_intr_free(intr_handle_t handle);
#endif
