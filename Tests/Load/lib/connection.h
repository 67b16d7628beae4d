// A non-blocking connection, plain or with TLS.
#pragma once
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdbool.h>

struct target {
    struct sockaddr_in address;
    const char *name; // the host, as in its certificate
    SSL_CTX *tls;     // NULL for plain TCP
};

struct connection {
    int descriptor;
    SSL *tls;
    bool connected;
    const char *failure; // the reason for the end
};

enum progress { progress_done, progress_wait, progress_failed };

struct target find_target(const char *host, const char *port, const char *certificates);

// Begins to connect, from a loopback address if `source` is set, with small buffers if `small_buffers` is set.
bool connection_begin(struct connection *connection, const struct target *target, const struct in_addr *source, bool small_buffers);

// Continues to connect and to negotiate TLS, without blocking.
enum progress connection_continue(struct connection *connection);

// Returns the number of moved bytes, 0 if the call would block, or -1 at the end or after a failure.
long connection_read(struct connection *connection, char *bytes, int capacity);
long connection_write(struct connection *connection, const char *bytes, int count);

// Returns true if more bytes are buffered, which poll does not report.
bool connection_has_more(const struct connection *connection);

void connection_close(struct connection *connection);
