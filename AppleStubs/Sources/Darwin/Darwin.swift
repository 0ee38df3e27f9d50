// The C library of Apple's systems: Linux's, but for the types that differ.
@_exported public import Glibc
