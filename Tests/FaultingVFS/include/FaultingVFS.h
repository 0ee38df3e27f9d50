#ifndef FAULTING_VFS_H
#define FAULTING_VFS_H

/// What a write that is made to fail answers.
typedef enum {
  FAULTING_VFS_IO_ERROR,
  FAULTING_VFS_DISK_FULL,
} faulting_vfs_answer;

/// Makes a shim over the system's VFS the default of this process. Files outside the armed folder are not touched.
/// Returns a SQLite result code; calling it again does nothing.
int faulting_vfs_register(void);

/// Makes writing calls (xWrite, xTruncate, xSync) on files whose path starts so fail: those with the numbers
/// `first ..< first + count`, counted from 1 over all of these files. `count` 0 only counts. One folder at a time.
void faulting_vfs_arm(const char *path_prefix, faulting_vfs_answer answer, long first, long count);

/// Lets every call succeed again. Returns how many writing calls there were since `faulting_vfs_arm`.
long faulting_vfs_disarm(void);

#endif
