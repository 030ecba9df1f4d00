#include <stdbool.h>
bool spi_flash_cache_enabled(void);
