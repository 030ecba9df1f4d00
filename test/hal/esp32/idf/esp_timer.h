#include "esp_err.h"
typedef struct esp_timer *esp_timer_handle_t;
typedef enum { ESP_TIMER_TASK, ESP_TIMER_ISR } esp_timer_dispatch_t; /* the latter, and the last function, only if the sdkconfig says so */
typedef struct {
	void (*callback)(void *arg);
	void *arg;
	esp_timer_dispatch_t dispatch_method;
	const char *name;
	bool skip_unhandled_events;
} esp_timer_create_args_t;
esp_err_t esp_timer_create(const esp_timer_create_args_t *create_args, esp_timer_handle_t *out_handle);
esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t timeout_us);
esp_err_t esp_timer_start_periodic(esp_timer_handle_t timer, uint64_t period_us);
esp_err_t esp_timer_stop(esp_timer_handle_t timer);
int64_t esp_timer_get_time(void);
void esp_timer_isr_dispatch_need_yield(void);
