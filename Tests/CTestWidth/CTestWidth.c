#include "CTestWidth.h"

#include <stdlib.h>

/// How many tests run at once, unless the caller says it. With more, some exceed their time limits on two cores: each that is started
/// waits for a thread, and its time counts meanwhile.
__attribute__((constructor)) static void limit_width(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "4", 0);
}
