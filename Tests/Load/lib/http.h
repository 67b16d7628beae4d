// A parser of HTTP/1.1 responses that arrive in pieces of any size.
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

// All members are zero at the beginning.
struct http {
    enum http_place place;
    int status;            // 0 until the status line has arrived
    long long revision;    // Almanac-Revision, or 0
    unsigned long long left; // missing bytes of the chunk or body
    bool event_stream, chunked, has_length;
    unsigned short count;
    char line[128]; // of the head, truncated
};

typedef void body_receiver(void *owner, const char *bytes, size_t count);

// Parses arrived bytes, and passes body bytes to `receive`.
void http_take(struct http *http, const char *bytes, size_t count, body_receiver *receive, void *owner);

// Returns true if the response is complete when the server closes the connection now.
bool http_is_complete(const struct http *http);
