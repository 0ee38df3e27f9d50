// The functions themselves come with the compiler; a target needs one file of its own.
#include "libfuzzer.h"
