// Times and what is said about many of them.
#pragma once
#include <stddef.h>

// Milliseconds of a clock that only goes forward.
double now(void);

// Processor time that this program has used, in milliseconds.
double own_processor_time(void);

struct numbers {
    double *values;
    size_t count, capacity;
};

void add_number(struct numbers *numbers, double value);

// Prints NAME_p50, NAME_p99 and NAME_max, each on a line; "none" where there are no numbers. Sorts them.
void print_numbers(const char *name, struct numbers *numbers);
