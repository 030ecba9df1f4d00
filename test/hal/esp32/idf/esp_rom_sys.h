#include <stdint.h>
void esp_rom_delay_us(uint32_t us);
void esp_rom_software_reset_system(void);
