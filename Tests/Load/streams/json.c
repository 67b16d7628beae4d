#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *at, const char *end) {
    while (at < end && strchr(" \t\r\n", *at)) at++;
    return at;
}

// Returns the end of the value that begins here, or NULL.
static const char *skip_value(const char *at, const char *end) {
    int depth = 0;
    const char *begin = at;
    bool in_text = false;
    for (; at < end; at++) {
        if (in_text) {
            if (*at == '\\') at++;
            else if (*at == '"') in_text = false;
        } else if (*at == '"') {
            in_text = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) return at > begin ? at : NULL;
            depth--;
        } else if (depth == 0 && strchr(",: \t\r\n", *at)) {
            return at > begin ? at : NULL;
        }
        if (depth == 0 && !in_text && at < end && strchr("\"}]", *at)) return at + 1;
    }
    return depth == 0 && !in_text && at > begin ? end : NULL;
}

// Reads the next member of an object or element of an array, after the opening bracket or the previous value.
static const char *next_value(const char *at, const char *end, struct json *value) {
    at = skip_space(at, end);
    const char *behind = at < end ? skip_value(at, end) : NULL;
    if (!behind || behind > end) return NULL;
    *value = (struct json){at, (size_t)(behind - at)};
    return skip_space(behind, end);
}

struct json json_member(struct json object, const char *name) {
    const char *end = object.bytes + object.count, *at = skip_space(object.bytes, end);
    struct json key, value;
    if (at == end || *at != '{') return (struct json){0};
    do {
        at = next_value(at + 1, end, &key);
        if (!at || at == end || *at != ':') return (struct json){0};
        at = next_value(at + 1, end, &value);
        if (!at) return (struct json){0};
        if (json_is_text(key, name)) return value;
    } while (at < end && *at == ',');
    return (struct json){0};
}

bool json_is_text(struct json value, const char *text) {
    size_t length = strlen(text);
    return value.count == length + 2 && value.bytes[0] == '"' && memcmp(value.bytes + 1, text, length) == 0;
}

bool json_has_text(struct json array, const char *text) {
    const char *end = array.bytes + array.count, *at = array.bytes;
    struct json element;
    if (array.count == 0 || *at != '[') return false;
    do {
        at = next_value(at + 1, end, &element);
        if (at && json_is_text(element, text)) return true;
    } while (at && at < end && *at == ',');
    return false;
}

long long json_integer(struct json value) {
    char *end;
    if (value.count == 0) return 0;
    long long integer = strtoll(value.bytes, &end, 10);
    return end == value.bytes + value.count && integer > 0 ? integer : 0;
}
