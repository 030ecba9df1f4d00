#include "esp_err.h"
typedef enum { WIFI_AUTH_WPA2_PSK = 3 } wifi_auth_mode_t;
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
