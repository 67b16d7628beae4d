// Changes of the config, and their way to the streams.
#pragma once
#include "crowd.h"

struct deliveries {
    struct numbers from_request; // from sending a change to its event, on every stream
    struct numbers from_answer;  // the same, from the answer: negative where the event was faster
    struct numbers slowest;      // of each round, from sending
    struct numbers answers;      // from sending a change to its answer
    long missed;                 // by streams that were open when a change was sent
    double processor_time;       // of this program, in all rounds
};

void run_rounds(struct crowd *crowd, struct deliveries *deliveries);
