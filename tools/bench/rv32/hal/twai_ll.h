/*
 * The registers of a TWAI controller as the chip has them, one access each, as ESP-IDF's header makes them;
 * interrupt.ts answers.
 */
#ifndef HAL_TWAI_LL_H
#define HAL_TWAI_LL_H
#include "idf.h"

typedef struct {
	volatile uint32_t mode, command, status, interrupt, interrupt_enable, reserved, timing[2], unused[8];
	volatile struct { uint32_t val; } tx_rx_buffer[13];
} twai_dev_t;
typedef int twai_ll_err_type_t, twai_ll_err_dir_t, twai_ll_err_seg_t;
#define REGISTER static inline __attribute__((always_inline))
REGISTER void twai_ll_enter_reset_mode(twai_dev_t *hw) { hw->mode = 1; }
REGISTER void twai_ll_exit_reset_mode(twai_dev_t *hw) { hw->mode = 0; }
REGISTER bool twai_ll_is_in_reset_mode(twai_dev_t *hw) { return hw->mode & 1; }
REGISTER void twai_ll_set_mode(twai_dev_t *hw, bool listen, bool no_ack, bool loopback) { (void)hw, (void)listen, (void)no_ack, (void)loopback; }
REGISTER void twai_ll_set_cmd_tx(twai_dev_t *hw) { hw->command = 1; }
REGISTER void twai_ll_set_cmd_abort_tx(twai_dev_t *hw) { hw->command = 2; }
REGISTER void twai_ll_set_cmd_release_rx_buffer(twai_dev_t *hw) { hw->command = 4; }
REGISTER uint32_t twai_ll_get_status(twai_dev_t *hw) { return hw->status; }
REGISTER uint32_t twai_ll_get_and_clear_intrs(twai_dev_t *hw) { return hw->interrupt; }
REGISTER void twai_ll_set_enabled_intrs(twai_dev_t *hw, uint32_t mask) { hw->interrupt_enable = mask; }
REGISTER void twai_ll_set_bus_timing(twai_dev_t *hw, uint32_t brp, uint32_t sjw, uint32_t tseg1, uint32_t tseg2, bool triple)
{
	(void)hw, (void)brp, (void)sjw, (void)tseg1, (void)tseg2, (void)triple;
}
REGISTER void twai_ll_parse_err_code_cap(twai_dev_t *hw, twai_ll_err_type_t *type, twai_ll_err_dir_t *dir, twai_ll_err_seg_t *seg)
{
	*type = *dir = *seg = (int)hw->unused[0];
}
REGISTER void twai_ll_set_err_warn_lim(twai_dev_t *hw, uint32_t limit) { (void)hw, (void)limit; }
REGISTER void twai_ll_set_rec(twai_dev_t *hw, uint32_t count) { (void)hw, (void)count; }
REGISTER void twai_ll_set_tec(twai_dev_t *hw, uint32_t count) { (void)hw, (void)count; }
REGISTER void twai_ll_set_acc_filter(twai_dev_t *hw, uint32_t code, uint32_t mask, bool single) { (void)hw, (void)code, (void)mask, (void)single; }
REGISTER void twai_ll_set_clkout(twai_dev_t *hw, uint32_t divider) { (void)hw, (void)divider; }
#endif
