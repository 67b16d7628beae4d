// One request on a connection of its own, and what is answered.
#pragma once
#include "connection.h"
#include "http.h"

struct exchange {
    struct connection connection;
    struct http http;
    const char *request;
    size_t size, sent;       // of the request
    unsigned long long received; // bytes of the answer's body
    bool under_way;
};

// Begins to connect from an address of loopback, and has the exchange polled; false when that failed at once.
bool exchange_begin(struct exchange *exchange, int poll, const struct target *target, const struct in_addr *source,
    const char *request, size_t size);

// Sends and reads as far as that goes now. It is done with the last byte of the answer, which may come before the
// request has been sent.
enum progress exchange_continue(struct exchange *exchange, int poll);

// Why there is no answer, in one word.
const char *exchange_failure(const struct exchange *exchange);

void exchange_end(struct exchange *exchange);
