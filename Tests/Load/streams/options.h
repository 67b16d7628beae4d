// The options of the command line.
#pragma once
#include <stdbool.h>

struct options {
    int streams, opening, per_address, rounds, keys, stalled;
    double interval, idle, timeout; // milliseconds
    bool steps;
    const char *certificates, *config;
    char *host, *port;
    const char *path;
    char **tokens; // that the streams use in turn
    int token_count;
    char *write_token;
};

struct options read_options(int count, char **arguments);
