#ifndef DUALSEND_LIBFUZZER_H
#define DUALSEND_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs the fuzzer with a command line of its own (LLVM, "libFuzzer", section "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
                        int (*_Nonnull test_one_input)(const uint8_t *_Nullable data, size_t size));

/// Changes bytes in place as libFuzzer itself would; returns the new size. For use in a custom mutator.
size_t LLVMFuzzerMutate(uint8_t *_Nonnull data, size_t size, size_t maximum_size);

#endif
