/* Natives of io/radio.ts: what Moddable's `wifi` leaves out. */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include <string.h>

#include "esp_event.h"
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

/* ---- networks in reach ---- */

#define CHANNEL_MS 100 /* in which a network sends its name once */
#define HOME_MS 100    /* between two channels, for clients of the access point: one beacon */

static volatile enum { SCAN_NONE, SCAN_RUNS, SCAN_DONE } scan; /* written by the task of the events, too */

static void on_scan_done(void *unused, esp_event_base_t base, int32_t id, void *data)
{
	(void)unused, (void)base, (void)id, (void)data;
	if (scan == SCAN_RUNS)
		scan = SCAN_DONE;
}

/* Scans all channels: 13 times CHANNEL_MS and HOME_MS. Nothing waits for it. */
void xs_esp32_scan_start(xsMachine *the)
{
	static bool listens;
	wifi_scan_config_t config = {.scan_time.active = {.min = CHANNEL_MS, .max = CHANNEL_MS}, .home_chan_dwell_time = HOME_MS};
	if (!listens)
		listens = esp_event_handler_register(WIFI_EVENT, WIFI_EVENT_SCAN_DONE, on_scan_done, NULL) == ESP_OK;
	if (!listens || esp_wifi_scan_start(&config, false) != ESP_OK)
		xsUnknownError("the radio is busy");
	scan = SCAN_RUNS;
}

/*
 * The next network that was found: byte 0 its strength in dBm + 256, byte 1 whether it is open, then its name;
 * null after the last, undefined while the scan runs, and without one.
 */
void xs_esp32_scan_next(xsMachine *the)
{
	wifi_ap_record_t found;
	if (scan != SCAN_DONE)
		return;
	if (esp_wifi_scan_get_ap_record(&found) != ESP_OK) {
		scan = SCAN_NONE;
		xsmcSetNull(xsResult);
		return;
	}
	uint8_t bytes[2 + sizeof found.ssid] = {(uint8_t)found.rssi, found.authmode == WIFI_AUTH_OPEN};
	size_t length = strnlen((char *)found.ssid, sizeof found.ssid - 1);
	memcpy(bytes + 2, found.ssid, length);
	xsmcSetArrayBuffer(xsResult, bytes, (xsIntegerValue)(2 + length));
}
