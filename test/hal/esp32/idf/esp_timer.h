#include "esp_err.h"
typedef struct esp_timer *esp_timer_handle_t;
typedef struct {
	void (*callback)(void *arg);
	void *arg;
	int dispatch_method;
	const char *name;
	bool skip_unhandled_events;
} esp_timer_create_args_t;
esp_err_t esp_timer_create(const esp_timer_create_args_t *create_args, esp_timer_handle_t *out_handle);
esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t timeout_us);
esp_err_t esp_timer_stop(esp_timer_handle_t timer);
int64_t esp_timer_get_time(void);
