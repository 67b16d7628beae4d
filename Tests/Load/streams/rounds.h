// Changes of the config, and their delivery to the streams.
#pragma once
#include "crowd.h"

struct deliveries {
    struct numbers from_request; // from sending a change to its event, per stream
    struct numbers from_answer;  // from the response, negative if the event was faster
    struct numbers slowest;      // of each round, from sending
    struct numbers answers;      // from sending a change to its response
    long missed;                 // by streams that were open when a change was sent
    double processor_time;       // of this program, in all rounds
};

void run_rounds(struct crowd *crowd, struct deliveries *deliveries);
