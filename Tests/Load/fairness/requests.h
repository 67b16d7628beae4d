// Requests that were prepared as bytes: in files, with a zero byte behind each.
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
