/* Of lwIP's raw interface: what tcp_link.c uses. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int8_t err_t;
typedef uint16_t u16_t;
enum { ERR_OK = 0, ERR_MEM = -1, ERR_USE = -8, ERR_ABRT = -13 };
typedef struct {
	uint32_t addr;
} ip_addr_t;
extern const ip_addr_t ip_addr_any;
#define IP_ADDR_ANY (&ip_addr_any)
int ipaddr_aton(const char *text, ip_addr_t *address);
char *ipaddr_ntoa_r(const ip_addr_t *address, char *text, int size);

struct pbuf {
	struct pbuf *next;
	void *payload;
	u16_t tot_len, len;
};
void pbuf_cat(struct pbuf *head, struct pbuf *tail);
u16_t pbuf_copy_partial(const struct pbuf *from, void *into, u16_t count, u16_t offset);
struct pbuf *pbuf_free_header(struct pbuf *from, u16_t count);
uint8_t pbuf_free(struct pbuf *from);

struct tcp_pcb;
typedef err_t (*tcp_accept_fn)(void *argument, struct tcp_pcb *pcb, err_t error);
typedef err_t (*tcp_recv_fn)(void *argument, struct tcp_pcb *pcb, struct pbuf *bytes, err_t error);
typedef err_t (*tcp_sent_fn)(void *argument, struct tcp_pcb *pcb, u16_t count);
typedef err_t (*tcp_connected_fn)(void *argument, struct tcp_pcb *pcb, err_t error);
typedef void (*tcp_err_fn)(void *argument, err_t error);
typedef err_t (*tcp_poll_fn)(void *argument, struct tcp_pcb *pcb);
struct tcp_pcb {
	ip_addr_t remote_ip;
	u16_t snd_buf;
	void *argument;
	tcp_accept_fn accept;
	tcp_recv_fn recv;
	tcp_sent_fn sent;
	tcp_connected_fn connected;
	tcp_err_fn err;
	tcp_poll_fn poll;
	struct pbuf *refused_data;
	unsigned unread_bytes, written_bytes;
	u16_t snd_queuelen;
	uint8_t so_options;
	uint8_t nodelay;
	uint8_t backlog, accepts_pending; /* of a listener */
};
#define SOF_REUSEADDR 4
#define ip_set_option(pcb, option) ((pcb)->so_options |= (option))
#define tcp_sndbuf(pcb) ((pcb)->snd_buf)
#define tcp_sndqueuelen(pcb) ((pcb)->snd_queuelen)
#define TCP_SND_QUEUELEN 16
#define tcp_nagle_disable(pcb) ((pcb)->nodelay = 1)
#define tcp_nagle_enable(pcb) ((pcb)->nodelay = 0)
#define TCP_WRITE_FLAG_COPY 1
struct tcp_pcb *tcp_new(void);
void tcp_arg(struct tcp_pcb *pcb, void *argument);
void tcp_accept(struct tcp_pcb *pcb, tcp_accept_fn accept);
void tcp_recv(struct tcp_pcb *pcb, tcp_recv_fn recv);
void tcp_sent(struct tcp_pcb *pcb, tcp_sent_fn sent);
void tcp_err(struct tcp_pcb *pcb, tcp_err_fn err);
err_t tcp_bind(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port);
void tcp_poll(struct tcp_pcb *pcb, tcp_poll_fn poll, uint8_t interval);
struct tcp_pcb *tcp_listen_with_backlog(struct tcp_pcb *pcb, uint8_t backlog);
void tcp_backlog_delayed(struct tcp_pcb *pcb);
void tcp_backlog_accepted(struct tcp_pcb *pcb);
err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *address, u16_t port, tcp_connected_fn connected);
void tcp_recved(struct tcp_pcb *pcb, u16_t count);
err_t tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t count, uint8_t flags);
err_t tcp_output(struct tcp_pcb *pcb);
err_t tcp_close(struct tcp_pcb *pcb);
void tcp_abort(struct tcp_pcb *pcb);
