#include "numbers.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) {
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

double own_processor_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

void add_number(struct numbers *numbers, double value) {
    if (numbers->count == numbers->capacity) {
        numbers->capacity = numbers->capacity ? 2 * numbers->capacity : 1024;
        numbers->values = realloc(numbers->values, numbers->capacity * sizeof *numbers->values);
        if (!numbers->values) err(1, "no memory for %zu numbers", numbers->capacity);
    }
    numbers->values[numbers->count++] = value;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Prints the smallest value that at least this share of all values does not exceed.
static void print_share(const char *name, const char *share_name, double share, const struct numbers *numbers) {
    size_t rank = (size_t)ceil(share * (double)numbers->count);
    if (numbers->count == 0) {
        printf("%s_%s none\n", name, share_name);
    } else {
        printf("%s_%s %.1f\n", name, share_name, numbers->values[rank - 1]);
    }
}

void print_numbers(const char *name, struct numbers *numbers) {
    if (numbers->count > 0) qsort(numbers->values, numbers->count, sizeof *numbers->values, compare);
    print_share(name, "p50", 0.5, numbers);
    print_share(name, "p99", 0.99, numbers);
    print_share(name, "max", 1, numbers);
}
