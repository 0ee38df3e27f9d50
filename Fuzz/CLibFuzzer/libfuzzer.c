#include "libfuzzer.h"

#ifndef DUALSEND_LIBFUZZER

// In place of libFuzzer's own functions, which come with the compiler: an ordinary build of the package links this program too.

#include <stdio.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *data, size_t size)) {
  fputs("error: this program was linked without libFuzzer; run scripts/check fuzz\n", stderr);
  return 2;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum_size) { return size; }

#endif
