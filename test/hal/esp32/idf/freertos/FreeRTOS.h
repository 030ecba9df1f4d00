#ifndef FREERTOS_H
#define FREERTOS_H
#include <stdint.h>
typedef int BaseType_t;
typedef unsigned UBaseType_t;
typedef uint32_t TickType_t;
#define configMAX_PRIORITIES 25
#define pdFALSE 0
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY 0xFFFFFFFFu
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms)) /* CONFIG_FREERTOS_HZ = 1000 */
typedef struct {
	uint32_t owner, count;
} portMUX_TYPE;
#define portMUX_INITIALIZER_UNLOCKED {0xB33FFFFFu, 0}
void vPortEnterCritical(portMUX_TYPE *mux);
void vPortExitCritical(portMUX_TYPE *mux);
BaseType_t xPortEnterCriticalTimeout(portMUX_TYPE *mux, BaseType_t timeout);
#define portMUX_TRY_LOCK 0
#define portENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define portEXIT_CRITICAL(mux) vPortExitCritical(mux)
#define portTRY_ENTER_CRITICAL_ISR(mux, timeout) xPortEnterCriticalTimeout(mux, timeout)
#define portEXIT_CRITICAL_ISR(mux) vPortExitCritical(mux)
void vPortYieldFromISR(void);
#define portYIELD_FROM_ISR(woken) do { if (woken) vPortYieldFromISR(); } while (0)
#endif
