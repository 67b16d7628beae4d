#include "rounds.h"

#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

// A request that changes the config, on its own connection.
struct change {
    struct connection connection;
    struct http http;
    char body[512]; // of the response, for an error message
    size_t count;
};

static const char first_key[] = "load.streams.key_0000";

static void print_key(FILE *text, int index) {
    if (index == 0) {
        fputs(first_key, text);
    } else {
        // A key of the greatest length makes events large.
        fprintf(text, "load.streams.key_%04d.%0106d", index, 0);
    }
}

// Returns a request that puts one key, or that changes several keys in one release by a merge patch.
static char *make_change(const struct options *options, int round) {
    char *body, *request, value[64];
    size_t size;
    FILE *text = open_memstream(&body, &size);
    if (!text) err(1, "no memory");
    snprintf(value, sizeof value, "%d %d %.3f", (int)getpid(), round, now());
    fprintf(text, "{");
    for (int index = 0; index < options->keys; index++) {
        fprintf(text, index ? ",\"" : "\"");
        if (options->keys == 1) fprintf(text, "value"); else print_key(text, index);
        fprintf(text, "\":\"%s\"", value);
    }
    fprintf(text, "}");
    if (fclose(text) != 0) err(1, "no memory");
    const char *method = options->keys == 1 ? "PUT" : "PATCH";
    const char *type = options->keys == 1 ? "application/json" : "application/merge-patch+json";
    if (asprintf(&request, "%s %s%s%s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\nAuthorization: Bearer %s\r\n"
                           "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
            method, options->config, options->keys == 1 ? "/" : "", options->keys == 1 ? first_key : "", options->host,
            options->port, options->write_token, type, size, body) < 0) {
        err(1, "no memory");
    }
    free(body);
    return request;
}

static void await_descriptor(struct change *change, short events, double deadline) {
    struct pollfd waited = {change->connection.descriptor, events, 0};
    double wait = deadline - now();
    if (wait <= 0 || poll(&waited, 1, (int)wait + 1) < 0) errx(1, "the server did not answer a change in time");
}

// Connects before the time is measured.
static void connect_change(struct change *change, struct crowd *crowd, double deadline) {
    *change = (struct change){0};
    bool begun = connection_begin(&change->connection, &crowd->target, NULL, false);
    enum progress progress = progress_wait;
    while (begun && progress == progress_wait) {
        await_descriptor(change, change->connection.connected ? POLLIN : POLLOUT, deadline);
        progress = connection_continue(&change->connection);
    }
    if (progress != progress_done) errx(1, "no connection for a change: %s", change->connection.failure);
}

static void send_change(struct change *change, struct crowd *crowd, const char *request, double deadline) {
    while (*request) {
        long count = connection_write(&change->connection, request, (int)strlen(request));
        if (count < 0) errx(1, "a change could not be sent: %s", change->connection.failure);
        if (count == 0) await_descriptor(change, POLLOUT, deadline);
        request += count;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &crowd_change};
    if (epoll_ctl(crowd->poll, EPOLL_CTL_ADD, change->connection.descriptor, &event) != 0) err(1, "epoll_ctl");
}

static void keep_body(void *owner, const char *bytes, size_t count) {
    struct change *change = owner;
    size_t room = sizeof change->body - 1 - change->count;
    if (count > room) count = room;
    memcpy(change->body + change->count, bytes, count);
    change->count += count;
}

// Returns true if the response is complete.
static bool read_answer(struct change *change) {
    char bytes[16 * 1024];
    long count = connection_read(&change->connection, bytes, sizeof bytes);
    if (count > 0) http_take(&change->http, bytes, (size_t)count, keep_body, change);
    bool ended = count < 0 || change->http.place == http_end || change->http.place == http_malformed;
    if (!ended) return false;
    if (!http_is_complete(&change->http)) errx(1, "no answer to a change: %s", change->connection.failure);
    if ((change->http.status != 200 && change->http.status != 201) || change->http.revision == 0) {
        errx(1, "a change was answered with status %d and revision %lld: %s", change->http.status, change->http.revision, change->body);
    }
    return true;
}

static void count_round(struct crowd *crowd, struct deliveries *deliveries, double sent, double answered, long long revision) {
    double slowest = 0;
    for (int index = 0; index < crowd->options->streams; index++) {
        struct stream *stream = &crowd->streams[index];
        // An earlier revision of the key does not count.
        if (stream->round != crowd->round->number || stream->revision < revision) continue;
        add_number(&deliveries->from_request, stream->heard - sent);
        add_number(&deliveries->from_answer, stream->heard - answered);
        if (stream->heard - sent > slowest) slowest = stream->heard - sent;
    }
    add_number(&deliveries->slowest, slowest);
    add_number(&deliveries->answers, answered - sent);
}

// Returns the revision of the change.
static long long run_round(struct crowd *crowd, struct deliveries *deliveries, int number, long long after) {
    struct change change;
    struct round round = {.number = number, .key = first_key, .after = after, .waiting = crowd->open};
    char *request = make_change(crowd->options, number);
    int open = crowd->open;
    size_t heard_before = deliveries->from_request.count;
    connect_change(&change, crowd, now() + crowd->options->timeout);
    crowd->round = &round;
    double sent = now(), answered = 0, deadline = sent + crowd->options->timeout;
    send_change(&change, crowd, request, deadline);
    while (now() < deadline && (answered == 0 || round.waiting > 0)) {
        crowd_turn(crowd, deadline);
        if (!crowd->change_is_ready || !read_answer(&change)) continue;
        answered = now();
        connection_close(&change.connection);
    }
    if (answered == 0) errx(1, "a change was not answered within %.0f s", crowd->options->timeout / 1e3);
    count_round(crowd, deliveries, sent, answered, change.http.revision);
    deliveries->missed += open - (long)(deliveries->from_request.count - heard_before);
    crowd->round = NULL;
    free(request);
    return change.http.revision;
}

static void pause_after_round(struct crowd *crowd) {
    double end = now() + crowd->options->interval;
    while (now() < end) crowd_turn(crowd, end);
}

void run_rounds(struct crowd *crowd, struct deliveries *deliveries) {
    if (crowd->options->rounds == 0) return;
    // The first change is not measured. It supplies the revision after which events count.
    struct deliveries unmeasured = {0};
    long long revision = run_round(crowd, &unmeasured, 1, 0);
    pause_after_round(crowd);
    double processor_time = own_processor_time();
    for (int number = 2; number <= crowd->options->rounds + 1; number++) {
        revision = run_round(crowd, deliveries, number, revision);
        pause_after_round(crowd);
    }
    deliveries->processor_time = own_processor_time() - processor_time;
}
