/* See ../README.md. */
#pragma once
#include "esp_err.h"

typedef enum { UART_NUM_0, UART_NUM_1 } uart_port_t;
typedef enum { UART_DATA_5_BITS, UART_DATA_6_BITS, UART_DATA_7_BITS, UART_DATA_8_BITS } uart_word_length_t;
typedef enum { UART_STOP_BITS_1 = 1 } uart_stop_bits_t;
typedef struct {
	int baud_rate;
	uart_word_length_t data_bits;
	uart_stop_bits_t stop_bits;
} uart_config_t;
esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config);
esp_err_t uart_driver_install(uart_port_t port, int rx_bytes, int tx_bytes, int events, void *queue, int flags);
esp_err_t uart_get_buffered_data_len(uart_port_t port, size_t *bytes);
esp_err_t uart_get_tx_buffer_free_size(uart_port_t port, size_t *bytes);
int uart_read_bytes(uart_port_t port, void *into, uint32_t bytes, uint32_t ticks);
int uart_write_bytes(uart_port_t port, const void *from, size_t bytes);
