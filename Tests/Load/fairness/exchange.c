#include "exchange.h"

#include <err.h>
#include <string.h>
#include <sys/epoll.h>

static void watch(struct exchange *exchange, int poll, int operation, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = exchange};
    if (epoll_ctl(poll, operation, exchange->connection.descriptor, &event) != 0) err(1, "epoll_ctl");
}

bool exchange_begin(struct exchange *exchange, int poll, const struct target *target, const struct in_addr *source,
    const char *request, size_t size) {
    *exchange = (struct exchange){.request = request, .size = size, .under_way = true};
    if (!connection_begin(&exchange->connection, target, source, false)) return false;
    watch(exchange, poll, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
    return true;
}

static void count_body(void *owner, const char *bytes, size_t count) {
    struct exchange *exchange = owner;
    exchange->received += count;
    (void)bytes;
}

static enum progress read_on(struct exchange *exchange) {
    static char bytes[256 * 1024];
    long count = connection_read(&exchange->connection, bytes, sizeof bytes);
    if (count > 0) http_take(&exchange->http, bytes, (size_t)count, count_body, exchange);
    if (exchange->http.place == http_end) return progress_done;
    if (count < 0) return http_is_complete(&exchange->http) ? progress_done : progress_failed;
    return exchange->http.place == http_malformed ? progress_failed : progress_wait;
}

static bool send_on(struct exchange *exchange, int poll) {
    size_t left = exchange->size - exchange->sent, most = 256 * 1024;
    long count = connection_write(&exchange->connection, exchange->request + exchange->sent, (int)(left < most ? left : most));
    if (count < 0) return false;
    exchange->sent += (size_t)count;
    if (exchange->sent == exchange->size) watch(exchange, poll, EPOLL_CTL_MOD, EPOLLIN);
    return true;
}

enum progress exchange_continue(struct exchange *exchange, int poll) {
    if (!exchange->connection.connected) {
        enum progress progress = connection_continue(&exchange->connection);
        if (progress != progress_done) return progress;
    }
    bool sent = exchange->sent == exchange->size || send_on(exchange, poll);
    // A server that refuses the end of a request may have sent its response before it closed the connection.
    enum progress progress = read_on(exchange);
    return progress == progress_wait && !sent ? progress_failed : progress;
}

const char *exchange_failure(const struct exchange *exchange) {
    if (exchange->http.place == http_malformed) return "malformed";
    if (exchange->http.status != 0) return "broken-off";
    return exchange->connection.connected ? "unanswered" : "no-connection";
}

void exchange_end(struct exchange *exchange) {
    connection_close(&exchange->connection);
    exchange->under_way = false;
}
