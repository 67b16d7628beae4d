// As much of JSON as an event needs: members of the object, without making anything of them.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Where a value stands in its text; no bytes when there is none.
struct json {
    const char *bytes;
    size_t count;
};

// The member of an object, given as text.
struct json json_member(struct json object, const char *name);

// Texts are compared as they are written: none that is looked for needs an escape.
bool json_is_text(struct json value, const char *text);
bool json_has_text(struct json array, const char *text);

// 0 for anything but a positive integer.
long long json_integer(struct json value);
