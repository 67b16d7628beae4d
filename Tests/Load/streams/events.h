// A parser of server-sent events that arrive in pieces of any size. It retains only the data of one event at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// All members except the buffer are zero at the beginning.
struct events {
    char *data;
    size_t count, capacity;
    char field[8];
    unsigned char field_count;
    bool in_value, at_start_of_value, is_data, has_data, after_return, cut;
};

// Receives an event's data, which ends with a zero byte that is not counted.
typedef void event_receiver(void *owner, const char *data, size_t count);

// Returns false if an event was larger than the buffer.
bool events_take(struct events *events, const char *bytes, size_t count, event_receiver *receive, void *owner);
