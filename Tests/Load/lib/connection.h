// A connection that never blocks, plain or with TLS.
#pragma once
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdbool.h>

struct target {
    struct sockaddr_in address;
    const char *name; // the host, as its certificate has it
    SSL_CTX *tls;     // NULL for plain TCP
};

struct connection {
    int descriptor;
    SSL *tls;
    bool connected;
    const char *failure; // why it ended
};

enum progress { progress_done, progress_wait, progress_failed };

struct target find_target(const char *host, const char *port, const char *certificates);

// Begins to connect, from a loopback address of its own when there is one; `stingy` is for those who won't read.
bool connection_begin(struct connection *connection, const struct target *target, const struct in_addr *source, bool stingy);

// Connects and shakes hands, as far as that goes now.
enum progress connection_continue(struct connection *connection);

// How many bytes; 0 when none can be moved now, -1 at the end or after a failure.
long connection_read(struct connection *connection, char *bytes, int capacity);
long connection_write(struct connection *connection, const char *bytes, int count);

// Whether more can be read that no poll tells about.
bool connection_has_more(const struct connection *connection);

void connection_close(struct connection *connection);
