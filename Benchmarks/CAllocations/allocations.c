#include "allocations.h"

#include <stddef.h>

#if defined(__GLIBC__)

// The executable's own `malloc` takes the place of the library's for every module of the process (glibc manual,
// "Replacing malloc"); what is behind it stays the library's, so `free` and the rest need no replacement.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static __thread int64_t count = 0;

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
  count += 1;
  return __libc_calloc(elements, size);
}

void *realloc(void *block, size_t size) {
  count += 1;
  return __libc_realloc(block, size);
}

int64_t allocations_of_this_thread(void) { return count; }

#else

int64_t allocations_of_this_thread(void) { return -1; }

#endif
