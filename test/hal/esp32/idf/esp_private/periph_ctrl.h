#define PERIPH_RCC_ATOMIC() for (int once = 1; once; once = 0)
