/** What rude neighbours send on every connection, and then keep it. */
const HEAD = "Host: 127.0.0.1\r\n";

export const RUDE: readonly string[] = [
	"GET /api/status HTTP/1.1\r\nX: ",
	`POST /api/settings HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n{`,
	`GET /api/canview/dump?seconds=120 HTTP/1.1\r\n${HEAD}\r\n`,
	`GET /api/events?hz=20 HTTP/1.1\r\n${HEAD}\r\n`,
	`POST /ota/update HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`,
	`GET /api/openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(20),
	"",
];
