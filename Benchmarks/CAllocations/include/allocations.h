#ifndef DUALSEND_ALLOCATIONS_H
#define DUALSEND_ALLOCATIONS_H

#include <stdint.h>

/// How often this thread has asked for memory; -1 where the C library offers no way to count.
int64_t allocations_of_this_thread(void);

#endif
