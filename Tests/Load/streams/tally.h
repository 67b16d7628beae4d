// How often each reason was given.
#pragma once

struct tally {
    struct {
        char reason[120];
        int count;
    } rows[32]; // the last one is for all that find no place
    int count;
};

void tally_add(struct tally *tally, const char *reason);

// A line for each: NAME COUNT REASON.
void tally_print(const char *name, const struct tally *tally);
