#include "esp_err.h"
typedef struct {
	uint32_t size;
} esp_partition_t;
typedef enum { ESP_OTA_IMG_PENDING_VERIFY = 1, ESP_OTA_IMG_UNDEFINED = -1 } esp_ota_img_states_t;
esp_err_t esp_ota_get_state_partition(const esp_partition_t *partition, esp_ota_img_states_t *state);
const esp_partition_t *esp_ota_get_running_partition(void);
const esp_partition_t *esp_ota_get_last_invalid_partition(void);
const esp_partition_t *esp_ota_get_next_update_partition(const esp_partition_t *start);
esp_err_t esp_ota_mark_app_valid_cancel_rollback(void);
