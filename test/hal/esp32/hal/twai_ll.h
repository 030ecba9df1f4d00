/*
 * The chip's TWAI controllers: their registers are in test/hal/esp32/twai_model.c. Names and meaning as in
 * ESP-IDF's header.
 */
#ifndef HAL_TWAI_LL_H
#define HAL_TWAI_LL_H
#include "idf.h"

#define MODEL_FIFO_FRAMES 5u /* 64 bytes hold about so many with 8 data bytes */

typedef struct twai_dev {
	/* Shows the first frame received since twai_ll_get_status(). twai_ll_set_cmd_tx() takes what is written. */
	volatile struct { uint32_t val; } tx_rx_buffer[13];
	/* What a test sets. */
	bool dead;             /* reads as if nothing were there */
	bool hangs;            /* gives no frame up */
	bool endless;          /* a frame that was read is still there */
	void (*on_reset)(void); /* NULL, or called when it enters reset mode */
	/* What it is. */
	bool reset_mode, listen_only, passes_all;
	bool off, recovering;
	uint32_t brp, jump, segment_1, segment_2, warning_limit, tec, rec, enabled;
	uint32_t interrupts;   /* cleared when read */
	bool error_latched;    /* the error code was not read: no further error interrupts */
	bool sending, sent;
	uint8_t out[13];
	uint8_t fifo[MODEL_FIFO_FRAMES + 1][13];
	bool missed[MODEL_FIFO_FRAMES + 1];
	unsigned fifo_count;
	unsigned accesses;     /* of registers, those of the buffer not counted */
} twai_dev_t;

typedef enum { TWAI_LL_ERR_BIT } twai_ll_err_type_t;
typedef enum { TWAI_LL_ERR_DIR_TX } twai_ll_err_dir_t;
typedef enum { TWAI_LL_ERR_SEG_SOF = 3 } twai_ll_err_seg_t;
enum { TWAI_CLK_SRC_APB, TWAI_CLK_SRC_XTAL };
extern twai_dev_t *const twai_ll_controllers[2];
#define TWAI_LL_GET_HW(controller_id) twai_ll_controllers[controller_id]
void twai_ll_enable_bus_clock(int group_id, bool enable);
void twai_ll_reset_register(int group_id);
void twai_ll_enable_clock(int group_id, bool en);
void twai_ll_set_clock_source(int group_id, int clk_src);
void twai_ll_enter_reset_mode(twai_dev_t *hw);
void twai_ll_exit_reset_mode(twai_dev_t *hw);
bool twai_ll_is_in_reset_mode(twai_dev_t *hw);
void twai_ll_set_mode(twai_dev_t *hw, bool listen_only, bool no_ack, bool loopback);
void twai_ll_set_cmd_tx(twai_dev_t *hw);
void twai_ll_set_cmd_abort_tx(twai_dev_t *hw);
void twai_ll_set_cmd_release_rx_buffer(twai_dev_t *hw);
uint32_t twai_ll_get_status(twai_dev_t *hw);
uint32_t twai_ll_get_and_clear_intrs(twai_dev_t *hw);
void twai_ll_set_enabled_intrs(twai_dev_t *hw, uint32_t intr_mask);
void twai_ll_set_bus_timing(twai_dev_t *hw, uint32_t brp, uint32_t sjw, uint32_t tseg1, uint32_t tseg2, bool triple_sampling);
void twai_ll_parse_err_code_cap(twai_dev_t *hw, twai_ll_err_type_t *type, twai_ll_err_dir_t *dir, twai_ll_err_seg_t *seg);
void twai_ll_set_err_warn_lim(twai_dev_t *hw, uint32_t ewl);
void twai_ll_set_rec(twai_dev_t *hw, uint32_t rec);
void twai_ll_set_tec(twai_dev_t *hw, uint32_t tec);
void twai_ll_set_acc_filter(twai_dev_t *hw, uint32_t code, uint32_t mask, bool single_filter);
void twai_ll_set_clkout(twai_dev_t *hw, uint32_t divider);
#endif
