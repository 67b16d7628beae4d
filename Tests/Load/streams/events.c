#include "events.h"

#include <string.h>

static void append(struct events *events, char byte) {
    if (events->count + 1 < events->capacity) {
        events->data[events->count++] = byte;
    } else {
        events->cut = true;
    }
}

static void begin_data(struct events *events) {
    if (events->has_data) append(events, '\n');
    events->has_data = true;
}

static bool field_is_data(const struct events *events) {
    return events->field_count == 4 && memcmp(events->field, "data", 4) == 0;
}

static void end_line(struct events *events, event_receiver *receive, void *owner) {
    bool empty = !events->in_value && events->field_count == 0;
    if (!events->in_value && field_is_data(events)) begin_data(events);
    if (empty && events->has_data && !events->cut) {
        events->data[events->count] = 0;
        receive(owner, events->data, events->count);
    }
    if (empty) {
        events->count = 0;
        events->has_data = false;
    }
    events->field_count = 0;
    events->in_value = false;
}

static void take_byte_of_line(struct events *events, char byte) {
    if (events->in_value) {
        bool skipped = events->at_start_of_value && byte == ' ';
        events->at_start_of_value = false;
        if (events->is_data && !skipped) append(events, byte);
    } else if (byte == ':') {
        events->in_value = events->at_start_of_value = true;
        events->is_data = field_is_data(events);
        if (events->is_data) begin_data(events);
    } else if (events->field_count < sizeof events->field) {
        events->field[events->field_count++] = byte;
    }
}

bool events_take(struct events *events, const char *bytes, size_t count, event_receiver *receive, void *owner) {
    for (; count > 0; bytes++, count--) {
        bool second_half = events->after_return && *bytes == '\n';
        events->after_return = *bytes == '\r';
        if (second_half) continue;
        if (*bytes == '\r' || *bytes == '\n') {
            end_line(events, receive, owner);
        } else {
            take_byte_of_line(events, *bytes);
        }
    }
    return !events->cut;
}
