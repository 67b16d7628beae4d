#include "crowd.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

char crowd_change, crowd_input;

static void raise_limit_of_files(int needed) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < (rlim_t)needed) {
        errx(1, "%d open files are needed, and the hard limit (ulimit -Hn) is %llu", needed, (unsigned long long)limit.rlim_max);
    }
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) err(1, "setrlimit");
}

static char *make_request(const struct options *options, const char *token) {
    char *request;
    if (asprintf(&request, "GET %s HTTP/1.1\r\nHost: %s:%s\r\nAccept: text/event-stream\r\nCache-Control: no-cache\r\n%s%s%s\r\n",
            options->path, options->host, options->port, token ? "Authorization: Bearer " : "", token ? token : "",
            token ? "\r\n" : "") < 0) {
        err(1, "no memory");
    }
    return request;
}

// Returns true if a stream shall stop reading. Such streams are spread evenly among the others.
static bool is_to_stall(const struct options *options, int index) {
    long long stalled = options->stalled, all = options->streams;
    return (index + 1) * stalled / all > index * stalled / all;
}

void crowd_prepare(struct crowd *crowd, const struct options *options) {
    raise_limit_of_files(options->streams + 32);
    *crowd = (struct crowd){.options = options, .poll = epoll_create1(EPOLL_CLOEXEC)};
    if (crowd->poll < 0) err(1, "epoll_create1");
    crowd->target = find_target(options->host, options->port, options->certificates);
    size_t room = 1024 + 144 * (size_t)options->keys;
    crowd->streams = calloc((size_t)options->streams, sizeof *crowd->streams);
    crowd->requests = calloc((size_t)options->token_count + 1, sizeof *crowd->requests);
    if (!crowd->streams || !crowd->requests) err(1, "no memory for %d streams", options->streams);
    for (int index = 0; index < options->streams; index++) {
        struct stream *stream = &crowd->streams[index];
        stream->reads_nothing = is_to_stall(options, index);
        stream->events.capacity = room;
        stream->events.data = malloc(room);
        if (!stream->events.data) err(1, "no memory for %d streams", options->streams);
    }
    crowd->requests[0] = make_request(options, NULL);
    for (int index = 0; index < options->token_count; index++) {
        crowd->requests[index] = make_request(options, options->tokens[index]);
    }
}

static const char *request_of(const struct crowd *crowd, const struct stream *stream) {
    int index = (int)(stream - crowd->streams);
    return crowd->requests[crowd->options->token_count ? index % crowd->options->token_count : 0];
}

static void greet(struct crowd *crowd, struct stream *stream) {
    add_number(&crowd->hellos, now() - stream->began);
    if (stream->reads_nothing) {
        crowd->stalled++;
        stream_stall(stream, crowd->poll);
    } else {
        crowd->open++;
        stream->stage = stage_open;
    }
}

static void hear_of_change(struct crowd *crowd, struct stream *stream, struct json event) {
    struct round *round = crowd->round;
    long long revision = json_integer(json_member(event, "revision"));
    if (!round || stream->round == round->number || revision <= round->after) return;
    if (!json_has_text(json_member(event, "keys"), round->key)) return;
    stream->round = round->number;
    stream->heard = now();
    stream->revision = revision;
    round->waiting--;
}

static void take_event(void *owner, struct stream *stream, struct json event) {
    struct crowd *crowd = owner;
    struct json type = json_member(event, "type");
    if (json_is_text(type, "hello")) {
        if (stream->stage == stage_opening) greet(crowd, stream);
    } else if (json_is_text(type, "refetchEvaluation")) {
        hear_of_change(crowd, stream, event);
    } else if (json_is_text(type, "ping")) {
        crowd->pings++;
    } else if (json_is_text(type, "resync")) {
        crowd->resyncs++;
    } else if (json_is_text(type, "bye")) {
        // The end of the stream follows, and is counted there.
        char said[96];
        snprintf(said, sizeof said, "said %.*s", (int)event.count, event.bytes);
        tally_add(&crowd->drops, said);
    }
}

static void take_end(void *owner, struct stream *stream, const char *reason) {
    struct crowd *crowd = owner;
    if (stream->stage == stage_stalled || (stream->stage == stage_open && stream->reads_nothing)) {
        crowd->stalled--;
        crowd->stalled_closed++;
    } else if (stream->stage == stage_open) {
        crowd->open--;
        crowd->dropped++;
        tally_add(&crowd->drops, reason);
        if (crowd->round && stream->round != crowd->round->number) crowd->round->waiting--;
    } else if (stream->stage != stage_ended) {
        crowd->failed++;
        tally_add(&crowd->failures, reason);
    }
}

static struct stream_listener listener_of(struct crowd *crowd) {
    return (struct stream_listener){crowd, take_event, take_end};
}

void crowd_turn(struct crowd *crowd, double until) {
    struct epoll_event ready[256];
    struct stream_listener listener = listener_of(crowd);
    double wait = until - now();
    int timeout = wait > 1e6 ? 1000000 : wait > 0 ? (int)wait + 1 : 0;
    int count = epoll_wait(crowd->poll, ready, sizeof ready / sizeof *ready, timeout);
    if (count < 0 && errno != EINTR) err(1, "epoll_wait");
    crowd->change_is_ready = crowd->input_is_ready = false;
    for (int index = 0; index < count; index++) {
        void *owner = ready[index].data.ptr;
        if (owner == &crowd_change) {
            crowd->change_is_ready = true;
        } else if (owner == &crowd_input) {
            crowd->input_is_ready = true;
        } else {
            stream_continue(owner, crowd->poll, request_of(crowd, owner), &listener);
        }
    }
}

static struct in_addr source_of(const struct options *options, int index) {
    return (struct in_addr){htonl(0x7f000101u + (unsigned)(index / options->per_address))};
}

static bool is_on_loopback(const struct target *target) {
    return ntohl(target->address.sin_addr.s_addr) >> 24 == 127;
}

static void begin_next(struct crowd *crowd, const struct stream_listener *listener) {
    struct in_addr source = source_of(crowd->options, crowd->begun);
    stream_begin(&crowd->streams[crowd->begun], crowd->poll, &crowd->target, is_on_loopback(&crowd->target) ? &source : NULL, listener);
    crowd->begun++;
}

static void end_late_ones(struct crowd *crowd, const struct stream_listener *listener) {
    for (int index = 0; index < crowd->begun; index++) {
        struct stream *stream = &crowd->streams[index];
        if (stream->stage >= stage_open || now() - stream->began < crowd->options->timeout) continue;
        stream_end(stream, listener, stream->stage == stage_opening ? "no hello in time" : "no connection in time");
    }
}

void crowd_open(struct crowd *crowd) {
    struct stream_listener listener = listener_of(crowd);
    double next_look = now() + 1000;
    // This counts each stream once, also a stream that was dropped right after its hello.
    while ((int)crowd->hellos.count + crowd->failed < crowd->options->streams) {
        int under_way = crowd->begun - (int)crowd->hellos.count - crowd->failed;
        if (crowd->begun < crowd->options->streams && under_way < crowd->options->opening) {
            begin_next(crowd, &listener);
            continue;
        }
        crowd_turn(crowd, next_look);
        if (now() >= next_look) {
            end_late_ones(crowd, &listener);
            next_look = now() + 1000;
        }
    }
}

void crowd_check_stalled(struct crowd *crowd) {
    double deadline = now() + 2000;
    for (int index = 0; index < crowd->options->streams; index++) {
        struct stream *stream = &crowd->streams[index];
        if (stream->stage == stage_stalled) stream_read_again(stream, crowd->poll);
    }
    while (crowd->stalled > 0 && now() < deadline) crowd_turn(crowd, deadline);
}
