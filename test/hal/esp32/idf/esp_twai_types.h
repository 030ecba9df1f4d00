#ifndef ESP_TWAI_TYPES_H
#define ESP_TWAI_TYPES_H
#include "esp_err.h"
typedef struct twai_node_base *twai_node_handle_t;
typedef struct {
	uint32_t id;
	uint16_t dlc;
	struct {
		uint32_t ide: 1;
		uint32_t rtr: 1;
		uint32_t fdf: 1;
		uint32_t brs: 1;
		uint32_t esi: 1;
	};
	union {
		uint64_t timestamp;
		uint64_t trigger_time;
	};
} twai_frame_header_t;
typedef struct {
	twai_frame_header_t header;
	uint8_t *buffer;
	size_t buffer_len;
} twai_frame_t;
typedef enum { TWAI_ERROR_ACTIVE, TWAI_ERROR_WARNING, TWAI_ERROR_PASSIVE, TWAI_ERROR_BUS_OFF } twai_error_state_t;
typedef struct {
	twai_error_state_t state;
	uint16_t tx_error_count, rx_error_count;
	uint32_t tx_queue_remaining;
} twai_node_status_t;
typedef struct {
	uint32_t bus_err_num;
} twai_node_record_t;
typedef struct {
	bool is_tx_success;
	const twai_frame_t *done_tx_frame;
} twai_tx_done_event_data_t;
typedef struct {
	uint8_t nothing; /* none in ESP-IDF: standard C has no empty structures */
} twai_rx_done_event_data_t;
typedef struct {
	twai_error_state_t old_sta, new_sta;
} twai_state_change_event_data_t;
typedef struct {
	uint32_t err_flags; /* a union of bits */
} twai_error_event_data_t;
typedef struct {
	bool (*on_tx_done)(twai_node_handle_t handle, const twai_tx_done_event_data_t *edata, void *user_ctx);
	bool (*on_rx_done)(twai_node_handle_t handle, const twai_rx_done_event_data_t *edata, void *user_ctx);
	bool (*on_state_change)(twai_node_handle_t handle, const twai_state_change_event_data_t *edata, void *user_ctx);
	bool (*on_error)(twai_node_handle_t handle, const twai_error_event_data_t *edata, void *user_ctx);
} twai_event_callbacks_t;
#endif
