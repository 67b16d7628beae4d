#pragma once
#include <stdlib.h>
#include <string.h>
#include <zip.h>

// A copy that libzip frees with free(), which Swift's own memory need not stand; NULL where there is no memory.
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
