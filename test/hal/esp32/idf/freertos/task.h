#ifndef FREERTOS_TASK_H
#define FREERTOS_TASK_H
#include "freertos/FreeRTOS.h"
typedef struct tskTaskControlBlock *TaskHandle_t;
#define tskNO_AFFINITY ((BaseType_t)0x7FFFFFFF)
#define taskENTER_CRITICAL(mux) vPortEnterCritical(mux)
#define taskEXIT_CRITICAL(mux) vPortExitCritical(mux)
void vPortYield(void);
#define taskYIELD() vPortYield()
BaseType_t xTaskCreatePinnedToCore(void (*code)(void *), const char *name, uint32_t stack_bytes, void *parameter, UBaseType_t priority,
	TaskHandle_t *task, BaseType_t core);
void vTaskDelay(TickType_t ticks);
void vTaskDelete(TaskHandle_t task);
void vTaskPrioritySet(TaskHandle_t task, UBaseType_t priority);
void vTaskSuspend(TaskHandle_t task); /* NULL: the calling one */
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetHandle(const char *name);
BaseType_t xTaskNotifyGive(TaskHandle_t task); /* a macro in FreeRTOS */
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken); /* likewise */
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);     /* likewise */
#endif
