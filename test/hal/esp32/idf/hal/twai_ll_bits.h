/* Bits and frame buffer of a TWAI controller, with the names of ESP-IDF's header. */
#ifndef HAL_TWAI_LL_BITS_H
#define HAL_TWAI_LL_BITS_H
#include <stdint.h>
#define TWAI_LL_STATUS_RBS 0x001
#define TWAI_LL_STATUS_TBS 0x004
#define TWAI_LL_STATUS_TCS 0x008
#define TWAI_LL_STATUS_ES 0x040
#define TWAI_LL_STATUS_BS 0x080
#define TWAI_LL_STATUS_MS 0x100
#define TWAI_LL_INTR_RI 0x01
#define TWAI_LL_INTR_TI 0x02
#define TWAI_LL_INTR_EI 0x04
#define TWAI_LL_INTR_EPI 0x20
#define TWAI_LL_INTR_BEI 0x80
typedef union { uint8_t bytes[13]; } twai_ll_frame_buffer_t;
#endif
