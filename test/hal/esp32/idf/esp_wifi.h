#include "esp_err.h"
#include "esp_event.h"
typedef enum { WIFI_AUTH_OPEN, WIFI_AUTH_WPA2_PSK = 3 } wifi_auth_mode_t;
typedef enum { WIFI_CIPHER_TYPE_CCMP = 4 } wifi_cipher_type_t;
typedef enum { WIFI_IF_STA, WIFI_IF_AP } wifi_interface_t;
typedef union {
	struct {
		wifi_auth_mode_t authmode;
		wifi_cipher_type_t pairwise_cipher;
	} ap;
} wifi_config_t;
esp_err_t esp_wifi_get_config(wifi_interface_t interface, wifi_config_t *config);
esp_err_t esp_wifi_set_config(wifi_interface_t interface, wifi_config_t *config);
esp_err_t esp_wifi_stop(void);
extern esp_event_base_t const WIFI_EVENT;
enum { WIFI_EVENT_SCAN_DONE = 1 };
typedef struct {
	struct {
		struct {
			uint32_t min, max;
		} active;
	} scan_time;
	uint8_t home_chan_dwell_time;
} wifi_scan_config_t;
typedef struct {
	uint8_t ssid[33];
	int8_t rssi;
	wifi_auth_mode_t authmode;
} wifi_ap_record_t;
esp_err_t esp_wifi_scan_start(const wifi_scan_config_t *config, bool block);
esp_err_t esp_wifi_scan_get_ap_record(wifi_ap_record_t *record);
