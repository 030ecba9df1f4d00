#ifndef HAL_TWAI_PERIPH_H
#define HAL_TWAI_PERIPH_H
typedef struct {
	const int irq_id, tx_sig, rx_sig;
} twai_signal_conn_t;
extern const twai_signal_conn_t twai_periph_signals[2];
#endif
