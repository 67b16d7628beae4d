// The subset of JSON that an event needs: access to members, without building a tree.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// A value's range in its text, or no bytes if it is missing.
struct json {
    const char *bytes;
    size_t count;
};

// Returns the member of an object.
struct json json_member(struct json object, const char *name);

// Texts are compared in their JSON form, because no expected text needs an escape.
bool json_is_text(struct json value, const char *text);
bool json_has_text(struct json array, const char *text);

// Returns 0 for anything but a positive integer.
long long json_integer(struct json value);
