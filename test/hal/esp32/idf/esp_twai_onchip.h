#ifndef ESP_TWAI_ONCHIP_H
#define ESP_TWAI_ONCHIP_H
#include "driver/gpio.h"
#include "esp_twai_types.h"
typedef struct {
	struct {
		gpio_num_t tx, rx, quanta_clk_out, bus_off_indicator;
	} io_cfg;
	int clk_src;
	struct {
		uint32_t bitrate;
		uint16_t sp_permill, ssp_permill;
	} bit_timing, data_timing;
	uint32_t timestamp_resolution_hz;
	int8_t fail_retry_cnt;
	uint32_t tx_queue_depth;
	int intr_priority;
} twai_onchip_node_config_t;
esp_err_t twai_new_node_onchip(const twai_onchip_node_config_t *node_config, twai_node_handle_t *node_ret);
#endif
