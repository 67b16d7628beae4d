#pragma once
#include <stdlib.h>
#include <utf8proc.h>

static inline void cutf8proc_free(void *text) {
    free(text);
}
