// An answer of HTTP/1.1 as it arrives, in pieces of any size.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum http_place {
    http_head,
    http_chunk_size,
    http_chunk,
    http_chunk_end,
    http_trailer,
    http_body,
    http_body_until_close,
    http_end,
    http_malformed,
};

// All zero at the beginning.
struct http {
    enum http_place place;
    int status;            // 0 until the first line is here
    long long revision;    // Almanac-Revision, or 0
    unsigned long long left; // bytes of this chunk, or of the body, still to come
    bool event_stream, chunked, has_length;
    unsigned short count;
    char line[128]; // of the head; what doesn't fit is not needed
};

typedef void body_receiver(void *owner, const char *bytes, size_t count);

// Takes what has arrived, and hands over what belongs to the body.
void http_take(struct http *http, const char *bytes, size_t count, body_receiver *receive, void *owner);

// Whether nothing is missing when the server closes now.
bool http_is_complete(const struct http *http);
