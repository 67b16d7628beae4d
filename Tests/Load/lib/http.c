#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *value_of(const char *line, const char *name) {
    size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0 || line[length] != ':') return NULL;
    return line + length + 1 + strspn(line + length + 1, " \t");
}

static void end_head(struct http *http) {
    if (http->status == 204 || http->status == 304) {
        http->place = http_end;
    } else if (http->chunked) {
        http->place = http_chunk_size;
    } else if (http->has_length) {
        http->place = http->left > 0 ? http_body : http_end;
    } else {
        http->place = http_body_until_close;
    }
}

static void take_head_line(struct http *http, const char *line) {
    const char *value;
    if (http->status == 0) {
        if (sscanf(line, "HTTP/1.%*1[01] %3d", &http->status) != 1) http->place = http_malformed;
    } else if (*line == 0) {
        end_head(http);
    } else if ((value = value_of(line, "Transfer-Encoding"))) {
        http->chunked = strcasecmp(value, "chunked") == 0;
    } else if ((value = value_of(line, "Content-Length"))) {
        http->has_length = true;
        http->left = strtoull(value, NULL, 10);
    } else if ((value = value_of(line, "Content-Type"))) {
        http->event_stream = strncasecmp(value, "text/event-stream", 17) == 0;
    } else if ((value = value_of(line, "Almanac-Revision"))) {
        http->revision = strtoll(value, NULL, 10);
    }
}

static void take_chunk_size(struct http *http, const char *line) {
    char *end;
    http->left = strtoull(line, &end, 16);
    if (end == line || (*end != 0 && *end != ';' && *end != ' ')) {
        http->place = http_malformed;
    } else {
        http->place = http->left > 0 ? http_chunk : http_trailer;
    }
}

static void take_line(struct http *http) {
    if (http->count > 0 && http->line[http->count - 1] == '\r') http->count--;
    http->line[http->count] = 0;
    http->count = 0;
    switch (http->place) {
    case http_head: take_head_line(http, http->line); break;
    case http_chunk_size: take_chunk_size(http, http->line); break;
    case http_chunk_end: http->place = *http->line == 0 ? http_chunk_size : http_malformed; break;
    default:
        if (*http->line == 0) http->place = http_end;
    }
}

static size_t take_body(struct http *http, const char *bytes, size_t count, body_receiver *receive, void *owner) {
    if (http->place != http_body_until_close && count > http->left) count = (size_t)http->left;
    receive(owner, bytes, count);
    if (http->place == http_body_until_close) return count;
    http->left -= count;
    if (http->left == 0) http->place = http->place == http_chunk ? http_chunk_end : http_end;
    return count;
}

void http_take(struct http *http, const char *bytes, size_t count, body_receiver *receive, void *owner) {
    while (count > 0) {
        size_t taken = 1;
        switch (http->place) {
        case http_chunk:
        case http_body:
        case http_body_until_close: taken = take_body(http, bytes, count, receive, owner); break;
        case http_end:
        case http_malformed: http->place = http_malformed; return;
        default:
            if (*bytes == '\n') {
                take_line(http);
            } else if (http->count < sizeof http->line - 1) {
                http->line[http->count++] = *bytes;
            }
        }
        bytes += taken;
        count -= taken;
    }
}

bool http_is_complete(const struct http *http) {
    return http->place == http_end || http->place == http_body_until_close;
}
