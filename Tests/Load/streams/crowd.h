// All the streams, and what they were told.
#pragma once
#include "numbers.h"
#include "options.h"
#include "stream.h"
#include "tally.h"

struct round {
    int number;          // from 1
    const char *key;     // that was changed
    long long after;     // the revision of the round before
    int waiting;         // streams that have not heard of it
};

struct crowd {
    const struct options *options;
    struct target target;
    int poll;
    struct stream *streams;
    char **requests;     // one for each token
    int begun, open, stalled, failed, dropped;
    int stalled_closed;  // by the server
    long pings, resyncs;
    struct numbers hellos; // from connecting to hello
    struct tally failures, drops;
    struct round *round; // what is waited for, or NULL
    // What else is polled has spoken; set anew in every turn.
    bool change_is_ready, input_is_ready;
};

// What the descriptors other than those of streams are registered with.
extern char crowd_change, crowd_input;

void crowd_prepare(struct crowd *crowd, const struct options *options);

// Waits for something until a moment, and does it.
void crowd_turn(struct crowd *crowd, double until);

// Opens all streams; those that don't open in time have failed.
void crowd_open(struct crowd *crowd);

// Reads what the stalled ones have left unread, and sees which of them have been closed.
void crowd_look_after_stalled(struct crowd *crowd);
