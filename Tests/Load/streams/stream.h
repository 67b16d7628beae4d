// An event stream, from its connection to its end.
#pragma once
#include "connection.h"
#include "events.h"
#include "http.h"
#include "json.h"

enum stage {
    stage_connecting,
    stage_sending,
    stage_opening, // has sent its request, and waits for its hello
    stage_open,
    stage_stalled, // open, but no longer read
    stage_ended,
};

struct stream {
    struct connection connection;
    struct http http;
    struct events events;
    enum stage stage;
    bool reads_nothing; // after its hello
    double began;
    size_t sent;
    // The last event of the current round of changes.
    int round;
    double heard;
    long long revision;
};

// The callbacks of a stream.
struct stream_listener {
    void *owner;
    void (*event)(void *owner, struct stream *stream, struct json event);
    void (*ended)(void *owner, struct stream *stream, const char *reason);
};

// Begins to connect. The buffer for events must be allocated.
void stream_begin(struct stream *stream, int poll, const struct target *target, const struct in_addr *source,
    const struct stream_listener *listener);

// Continues when the descriptor is ready.
void stream_continue(struct stream *stream, int poll, const char *request, const struct stream_listener *listener);

// Pauses or resumes reading.
void stream_stall(struct stream *stream, int poll);
void stream_read_again(struct stream *stream, int poll);

void stream_end(struct stream *stream, const struct stream_listener *listener, const char *reason);
