/* Natives of io/radio.ts: what Moddable's `wifi` leaves out. */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include "esp_wifi.h"

void xs_esp32_wifi_off(xsMachine *the)
{
	(void)the;
	esp_wifi_stop(); /* fails only where it is off */
}

/*
 * The access point, after it was started with a password: Moddable offers WPA with TKIP too, which phones
 * warn of.
 */
void xs_esp32_wpa2_only(xsMachine *the)
{
	wifi_config_t config;
	if (esp_wifi_get_config(WIFI_IF_AP, &config) == ESP_OK) {
		config.ap.authmode = WIFI_AUTH_WPA2_PSK;
		config.ap.pairwise_cipher = WIFI_CIPHER_TYPE_CCMP;
		if (esp_wifi_set_config(WIFI_IF_AP, &config) == ESP_OK)
			return;
	}
	xsUnknownError("no WPA2");
}
