#include "stream.h"

#include "numbers.h"

#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

struct reader {
    struct stream *stream;
    const struct stream_listener *listener;
};

static void watch(struct stream *stream, int poll, int operation, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = stream};
    if (epoll_ctl(poll, operation, stream->connection.descriptor, &event) != 0) err(1, "epoll_ctl");
}

void stream_begin(struct stream *stream, int poll, const struct target *target, const struct in_addr *source,
    const struct stream_listener *listener) {
    stream->stage = stage_connecting;
    stream->began = now();
    if (!connection_begin(&stream->connection, target, source, stream->reads_nothing)) {
        stream_end(stream, listener, stream->connection.failure);
        return;
    }
    watch(stream, poll, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT | EPOLLET);
}

void stream_end(struct stream *stream, const struct stream_listener *listener, const char *reason) {
    connection_close(&stream->connection);
    listener->ended(listener->owner, stream, reason);
    stream->stage = stage_ended;
}

static void receive_event(void *owner, const char *data, size_t count) {
    struct reader *reader = owner;
    // A stalled stream still reads pending bytes, but must not count them.
    if (reader->stream->stage != stage_opening && reader->stream->stage != stage_open) return;
    reader->listener->event(reader->listener->owner, reader->stream, (struct json){data, count});
}

static void receive_body(void *owner, const char *bytes, size_t count) {
    struct reader *reader = owner;
    if (reader->stream->http.status != 200 || !reader->stream->http.event_stream) return;
    events_take(&reader->stream->events, bytes, count, receive_event, reader);
}

// Returns the reason why the response is no event stream, or NULL.
static const char *refusal(const struct stream *stream) {
    static char reason[64];
    const struct http *http = &stream->http;
    if (http->place == http_malformed) return "the answer is not HTTP";
    if (http->place == http_head) return NULL;
    if (http->status != 200) {
        snprintf(reason, sizeof reason, "answered with status %d", http->status);
        return reason;
    }
    if (!http->event_stream) return "answered with something else than events";
    if (stream->events.cut) return "an event is larger than what was asked for";
    if (http->place == http_end) return "ended by the server";
    return NULL;
}

static void read_on(struct stream *stream, const struct stream_listener *listener) {
    static char bytes[32 * 1024];
    struct reader reader = {stream, listener};
    do {
        long count = connection_read(&stream->connection, bytes, sizeof bytes);
        const char *reason = count < 0 ? stream->connection.failure : NULL;
        if (count > 0) http_take(&stream->http, bytes, (size_t)count, receive_body, &reader);
        if (count >= 0) reason = refusal(stream);
        if (reason) {
            stream_end(stream, listener, reason);
            return;
        }
    } while (stream->stage != stage_stalled && connection_has_more(&stream->connection));
}

static void send_on(struct stream *stream, int poll, const char *request, const struct stream_listener *listener) {
    long count = connection_write(&stream->connection, request + stream->sent, (int)strlen(request + stream->sent));
    if (count < 0) {
        stream_end(stream, listener, stream->connection.failure);
        return;
    }
    stream->sent += (size_t)count;
    if (request[stream->sent] == 0) {
        stream->stage = stage_opening;
        watch(stream, poll, EPOLL_CTL_MOD, EPOLLIN);
    }
}

void stream_continue(struct stream *stream, int poll, const char *request, const struct stream_listener *listener) {
    if (stream->stage == stage_connecting) {
        switch (connection_continue(&stream->connection)) {
        case progress_done: stream->stage = stage_sending; break;
        case progress_failed: stream_end(stream, listener, stream->connection.failure); break;
        case progress_wait: break;
        }
    }
    if (stream->stage == stage_sending) {
        send_on(stream, poll, request, listener);
    } else if (stream->stage == stage_opening || stream->stage == stage_open) {
        read_on(stream, listener);
    } else if (stream->stage == stage_stalled) {
        // Reading is off, so epoll reports only the end.
        stream_end(stream, listener, "closed by the server");
    }
}

void stream_stall(struct stream *stream, int poll) {
    stream->stage = stage_stalled;
    watch(stream, poll, EPOLL_CTL_MOD, 0);
}

void stream_read_again(struct stream *stream, int poll) {
    stream->stage = stage_open;
    watch(stream, poll, EPOLL_CTL_MOD, EPOLLIN);
}
