#include "requests.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct requests read_requests(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) err(1, "%s", path);
    if (status.st_size == 0) errx(1, "%s has no request", path);
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) err(1, "%s", path);
    close(file);
    const char *end = bytes + status.st_size;
    struct requests requests = {0};
    while (bytes < end) {
        const char *zero = memchr(bytes, 0, (size_t)(end - bytes));
        if (!zero) errx(1, "%s has no zero byte behind its last request", path);
        requests.list = realloc(requests.list, (requests.count + 1) * sizeof *requests.list);
        if (!requests.list) err(1, "%s", path);
        requests.list[requests.count].bytes = bytes;
        requests.list[requests.count++].size = (size_t)(zero - bytes);
        bytes = zero + 1;
    }
    return requests;
}
