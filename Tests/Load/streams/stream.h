// One stream of events, from its connection to its end.
#pragma once
#include "connection.h"
#include "events.h"
#include "http.h"
#include "json.h"

enum stage {
    stage_connecting,
    stage_sending,
    stage_opening, // has asked, and waits for its hello
    stage_open,
    stage_stalled, // open, and not read any more
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
    // What it heard in a round of changes.
    int round;
    double heard;
    long long revision;
};

// What a stream tells.
struct stream_listener {
    void *owner;
    void (*event)(void *owner, struct stream *stream, struct json event);
    void (*ended)(void *owner, struct stream *stream, const char *reason);
};

// Begins to connect. The buffer for events has to be there.
void stream_begin(struct stream *stream, int poll, const struct target *target, const struct in_addr *source,
    const struct stream_listener *listener);

// Does what can be done when its descriptor is ready.
void stream_continue(struct stream *stream, int poll, const char *request, const struct stream_listener *listener);

// Stops to read, or reads again.
void stream_stall(struct stream *stream, int poll);
void stream_read_again(struct stream *stream, int poll);

void stream_end(struct stream *stream, const struct stream_listener *listener, const char *reason);
