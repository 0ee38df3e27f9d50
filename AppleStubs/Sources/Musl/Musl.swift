// Not Apple's: the other C library of Linux, so that the branches that import it are compiled. Its declarations are taken
// to be Glibc's.
@_exported public import Glibc
