// Prepared requests as bytes, in files, each followed by a zero byte.
#pragma once
#include <stddef.h>

struct requests {
    struct {
        const char *bytes;
        size_t size;
    } *list;
    size_t count;
};

struct requests read_requests(const char *path);
