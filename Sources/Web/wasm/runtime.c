// The system functions that Embedded Swift and clang require: memory and random numbers. One thread and one module.
#include <stddef.h>
#include <stdint.h>

#ifndef WASI
__attribute__((import_module("env"), import_name("random"))) void fill_random(void *start, size_t count);
#else
__attribute__((import_module("wasi_snapshot_preview1"), import_name("random_get"))) int fill_random(void *, size_t);
#endif

extern unsigned char __heap_base;

// Block sizes are powers of two, including a header of sixteen bytes. Freed blocks are listed by size.
struct block {
  struct block *next;
  uint32_t order;
  uint64_t unused;
};
static struct block *freed[32];
static uintptr_t end;

void *malloc(size_t count) {
  uint32_t order = 5;
  while (order < 31 && ((size_t)1 << order) - sizeof(struct block) < count) order++;
  if (order == 31) return 0;
  struct block *found = freed[order];
  if (found) {
    freed[order] = found->next;
  } else {
    if (!end) end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    size_t size = (size_t)1 << order;
    size_t pages = __builtin_wasm_memory_size(0);
    if (end + size > pages << 16) {
      size_t missing = (end + size - (pages << 16) + 65535) >> 16;
      if (__builtin_wasm_memory_grow(0, missing) == (size_t)-1) return 0;
    }
    found = (struct block *)end;
    found->order = order;
    end += size;
  }
  return found + 1;
}

void free(void *start) {
  if (!start) return;
  struct block *block = (struct block *)start - 1;
  block->next = freed[block->order];
  freed[block->order] = block;
}

// Every block begins at a multiple of sixteen, which suffices for all callers.
int posix_memalign(void **start, size_t alignment, size_t count) {
  *start = alignment > 16 ? 0 : malloc(count);
  return *start ? 0 : 12;
}

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *one = left, *other = right;
  for (size_t index = 0; index < count; index++)
    if (one[index] != other[index]) return one[index] - other[index];
  return 0;
}

void arc4random_buf(void *start, size_t count) { fill_random(start, count); }
int putchar(int character) { return character; }
