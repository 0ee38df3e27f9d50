#ifndef FAULTING_VFS_H
#define FAULTING_VFS_H

#include "PageLimit.h"

/// The calls of SQLite into the file system that can be made to fail.
typedef enum {
  /// xWrite, xTruncate and xSync.
  FAULTING_VFS_WRITES,
  FAULTING_VFS_OPENS,
  FAULTING_VFS_READS,
  FAULTING_VFS_DELETES,
  FAULTING_VFS_TRUNCATES,
  /// xFileSize.
  FAULTING_VFS_SIZES,
  /// xLock, and xShmLock where it takes a lock.
  FAULTING_VFS_LOCKS,
  /// xShmMap.
  FAULTING_VFS_MAPS,
} faulting_vfs_calls;

/// What a call that is made to fail answers.
typedef enum {
  /// The I/O error of that call; SQLITE_CANTOPEN for an xOpen.
  FAULTING_VFS_IO_ERROR,
  /// SQLITE_FULL for an xWrite or xTruncate, the I/O error for the others.
  FAULTING_VFS_DISK_FULL,
  /// SQLITE_BUSY for a lock, the I/O error for the others.
  FAULTING_VFS_BUSY,
} faulting_vfs_answer;

/// Makes a shim over the system's VFS the default of this process. Files outside the armed folder are not touched.
/// Returns a SQLite result code; calling it again does nothing.
int faulting_vfs_register(void);

/// Makes such calls on files whose path starts so fail: those with the numbers `first ..< first + count`, counted from
/// 1 over all of these files. `count` 0 only counts. One folder at a time.
void faulting_vfs_arm(
    const char *path_prefix, faulting_vfs_calls calls, faulting_vfs_answer answer, long first, long count);

/// Lets every call succeed again. Returns how many such calls there were since `faulting_vfs_arm`.
long faulting_vfs_disarm(void);

#endif
