// Times and their percentiles.
#pragma once
#include <stddef.h>

// Returns the milliseconds of a monotonic clock.
double now(void);

// Returns this program's processor time, in milliseconds.
double own_processor_time(void);

struct numbers {
    double *values;
    size_t count, capacity;
};

void add_number(struct numbers *numbers, double value);

// Prints NAME_p50, NAME_p99 and NAME_max, each on a line, or "none" without numbers. Sorts the numbers.
void print_numbers(const char *name, struct numbers *numbers);
