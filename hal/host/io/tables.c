/* The list of all tables of native functions. */
#include "../host.h"

#define TABLE(name) { name##_natives, &name##_natives_count }
#define DECLARE(name) extern const struct host_native name##_natives[]; extern const size_t name##_natives_count

DECLARE(can_gateway);
DECLARE(frame_text);
DECLARE(gateway_core);
DECLARE(host_base64);
DECLARE(host_clock);
DECLARE(host_config);
DECLARE(host_controls);
DECLARE(host_files);
DECLARE(host_instrumentation);
DECLARE(host_listener);
DECLARE(host_pwm);
DECLARE(host_radio);
DECLARE(host_sleep);
DECLARE(host_tcp);
DECLARE(host_timer);
DECLARE(host_update);
DECLARE(pbkdf2);
DECLARE(sha256);
DECLARE(signature);
DECLARE(text);
DECLARE(wpa_key);

const struct host_table host_tables[] = {
	TABLE(host_base64),
	TABLE(host_clock),
	TABLE(host_config),
	TABLE(host_controls),
	TABLE(host_files),
	TABLE(host_instrumentation),
	TABLE(host_listener),
	TABLE(host_pwm),
	TABLE(host_radio),
	TABLE(host_sleep),
	TABLE(host_tcp),
	TABLE(host_timer),
	TABLE(host_update),
	TABLE(can_gateway),
	TABLE(gateway_core),
	TABLE(frame_text),
	TABLE(pbkdf2),
	TABLE(sha256),
	TABLE(signature),
	TABLE(text),
	TABLE(wpa_key),
};
const size_t host_tables_count = HOST_COUNT(host_tables);
