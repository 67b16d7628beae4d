// The number of times that each reason was given.
#pragma once

struct tally {
    struct {
        char reason[120];
        int count;
    } rows[32]; // the last one counts all further reasons
    int count;
};

void tally_add(struct tally *tally, const char *reason);

// Prints a line for each reason: NAME COUNT REASON.
void tally_print(const char *name, const struct tally *tally);
