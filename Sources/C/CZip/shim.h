#pragma once
#include <stdlib.h>
#include <string.h>
#include <zip.h>

// Copies bytes to memory that libzip can release with free(), unlike Swift's own. Returns NULL if out of memory.
static inline void *czip_copy(const void *bytes, size_t count) {
    void *copy = malloc(count ? count : 1);
    if (copy && count) memcpy(copy, bytes, count);
    return copy;
}

static inline void czip_free(void *copy) {
    free(copy);
}

static inline int czip_set_time(zip_t *archive, zip_uint64_t index, zip_int64_t seconds) {
    return zip_file_set_mtime(archive, index, (time_t)seconds, 0);
}
