// A request on its own connection, with its response.
#pragma once
#include "connection.h"
#include "http.h"

struct exchange {
    struct connection connection;
    struct http http;
    const char *request;
    size_t size, sent;       // of the request
    unsigned long long received; // bytes of the response body
    bool under_way;
};

// Connects from a loopback address, and registers the exchange with epoll. Returns false on an immediate failure.
bool exchange_begin(struct exchange *exchange, int poll, const struct target *target, const struct in_addr *source,
    const char *request, size_t size);

// Sends and reads as much as possible without blocking. The exchange is done at the last byte of the response, which
// may precede the end of the request.
enum progress exchange_continue(struct exchange *exchange, int poll);

// Returns the reason for a missing response, in one word.
const char *exchange_failure(const struct exchange *exchange);

void exchange_end(struct exchange *exchange);
