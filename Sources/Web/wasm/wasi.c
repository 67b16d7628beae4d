// The module as a command for engines without a page: reads requests from standard input and writes answers to standard
// output. A request is a letter (m, d, a) and its texts, each preceded by its length in four bytes.
#include <stddef.h>
#include <stdint.h>

struct part {
  void *start;
  size_t count;
};
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_read"))) int fd_read(
    int, const struct part *, size_t, size_t *);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write"))) int fd_write(
    int, const struct part *, size_t, size_t *);

void *malloc(size_t);
void free(void *);
void *textmerge_merge(const void *, size_t, const void *, size_t, const void *, size_t);
void *textmerge_diff(const void *, size_t, const void *, size_t);
void *textmerge_apply(const void *, size_t, const void *, size_t);

static int take(void *start, size_t count) {
  while (count) {
    struct part part = {start, count};
    size_t read = 0;
    if (fd_read(0, &part, 1, &read) || !read) return 0;
    start = (char *)start + read;
    count -= read;
  }
  return 1;
}

static struct part text(void) {
  uint32_t count = 0;
  take(&count, 4);
  struct part part = {malloc(count), count};
  take(part.start, count);
  return part;
}

void _start(void) {
  char letter;
  while (take(&letter, 1)) {
    struct part first = text(), second = text(), third = {0, 0};
    if (letter == 'm') third = text();
    uint32_t *answer = letter == 'm'   ? textmerge_merge(first.start, first.count, second.start, second.count,
                                                         third.start, third.count)
                       : letter == 'd' ? textmerge_diff(first.start, first.count, second.start, second.count)
                                       : textmerge_apply(first.start, first.count, second.start, second.count);
    struct part rest = {answer, 4 + *answer};
    while (rest.count) {
      size_t written = 0;
      if (fd_write(1, &rest, 1, &written) || !written) __builtin_trap();
      rest.start = (char *)rest.start + written;
      rest.count -= written;
    }
    free(answer);
    free(first.start);
    free(second.start);
    free(third.start);
  }
}
