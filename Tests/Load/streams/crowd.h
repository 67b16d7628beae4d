// All streams, with the events that they have received.
#pragma once
#include "numbers.h"
#include "options.h"
#include "stream.h"
#include "tally.h"

struct round {
    int number;          // from 1
    const char *key;     // that was changed
    long long after;     // the revision of the previous round
    int waiting;         // streams without the change
};

struct crowd {
    const struct options *options;
    struct target target;
    int poll;
    struct stream *streams;
    char **requests;     // one per token
    int begun, open, stalled, failed, dropped;
    int stalled_closed;  // by the server
    long pings, resyncs;
    struct numbers hellos; // from connecting to hello
    struct tally failures, drops;
    struct round *round; // in progress, or NULL
    // True if the change's descriptor, or standard input, is ready. Set in every turn.
    bool change_is_ready, input_is_ready;
};

// Markers whose addresses are the epoll data of descriptors other than streams.
extern char crowd_change, crowd_input;

void crowd_prepare(struct crowd *crowd, const struct options *options);

// Waits for events until a time, and handles them.
void crowd_turn(struct crowd *crowd, double until);

// Opens all streams. A stream that does not open in time counts as failed.
void crowd_open(struct crowd *crowd);

// Reads the unread bytes of stalled streams, and finds the closed ones.
void crowd_check_stalled(struct crowd *crowd);
