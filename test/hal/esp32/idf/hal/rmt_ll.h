/* As far as controls_c6.c uses it. */
#ifndef HAL_RMT_LL_H
#define HAL_RMT_LL_H
#include <stdbool.h>
#include <stdint.h>
typedef struct rmt_dev rmt_dev_t;
typedef enum { RMT_CLK_SRC_XTAL } rmt_clock_source_t;
struct rmt_dev { int registers; };
extern rmt_dev_t RMT;
void rmt_ll_enable_bus_clock(int group_id, bool enable);
void rmt_ll_reset_register(int group_id);
void rmt_ll_set_group_clock_src(rmt_dev_t *dev, uint32_t channel, rmt_clock_source_t src, uint32_t divider_integral,
	uint32_t divider_denominator, uint32_t divider_numerator);
void rmt_ll_enable_group_clock(rmt_dev_t *dev, bool en);
void rmt_ll_mem_force_power_on(rmt_dev_t *dev);
void rmt_ll_enable_mem_access_nonfifo(rmt_dev_t *dev, bool enable);
void rmt_ll_tx_set_channel_clock_div(rmt_dev_t *dev, uint32_t channel, uint32_t div);
void rmt_ll_tx_reset_channels_clock_div(rmt_dev_t *dev, uint32_t channel_mask);
void rmt_ll_tx_set_mem_blocks(rmt_dev_t *dev, uint32_t channel, uint8_t block_num);
void rmt_ll_tx_enable_carrier_modulation(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_enable_wrap(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_enable_loop(rmt_dev_t *dev, uint32_t channel, bool enable);
void rmt_ll_tx_fix_idle_level(rmt_dev_t *dev, uint32_t channel, uint8_t level, bool enable);
void rmt_ll_tx_reset_pointer(rmt_dev_t *dev, uint32_t channel);
void rmt_ll_tx_start(rmt_dev_t *dev, uint32_t channel);
#endif
