#include "FaultingVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

/// A file of the armed folder: the system's own file stands behind it in the same allocation.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
} faulting_file;

static sqlite3_vfs shim;
static sqlite3_vfs *system_vfs;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char armed_prefix[1024];
static int is_armed;
static faulting_vfs_calls armed_calls;
static faulting_vfs_answer armed_answer;
static long first_failure, failure_count, calls;

static sqlite3_file *real(sqlite3_file *file) { return ((faulting_file *)file)->real; }

/// What a call of the armed kind must fail with.
static int fault_code(int io_error) {
  if (armed_answer == FAULTING_VFS_DISK_FULL && (io_error == SQLITE_IOERR_WRITE || io_error == SQLITE_IOERR_TRUNCATE)) {
    return SQLITE_FULL;
  }
  return armed_answer == FAULTING_VFS_BUSY && armed_calls == FAULTING_VFS_LOCKS ? SQLITE_BUSY : io_error;
}

/// Counts one call of a kind; the code it must fail with, or SQLITE_OK.
static int strike(faulting_vfs_calls kind, int io_error) {
  pthread_mutex_lock(&lock);
  int result = SQLITE_OK;
  if (is_armed && kind == armed_calls) {
    calls += 1;
    if (calls >= first_failure && calls - first_failure < failure_count) result = fault_code(io_error);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int fault = strike(FAULTING_VFS_READS, SQLITE_IOERR_READ);
  return fault ? fault : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int fault = strike(FAULTING_VFS_WRITES, SQLITE_IOERR_WRITE);
  return fault ? fault : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  int fault = strike(FAULTING_VFS_TRUNCATES, SQLITE_IOERR_TRUNCATE);
  if (!fault) fault = strike(FAULTING_VFS_WRITES, SQLITE_IOERR_TRUNCATE);
  return fault ? fault : real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  int fault = strike(FAULTING_VFS_WRITES, SQLITE_IOERR_FSYNC);
  return fault ? fault : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int fault = strike(FAULTING_VFS_SIZES, SQLITE_IOERR_FSTAT);
  return fault ? fault : real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
  int fault = strike(FAULTING_VFS_LOCKS, SQLITE_IOERR_LOCK);
  return fault ? fault : real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_reserved_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int device_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int map_shared(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  int fault = strike(FAULTING_VFS_MAPS, SQLITE_IOERR_SHMMAP);
  return fault ? fault : real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  int fault = flags & SQLITE_SHM_LOCK ? strike(FAULTING_VFS_LOCKS, SQLITE_IOERR_SHMLOCK) : SQLITE_OK;
  return fault ? fault : real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unmap_shared(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
};

static int is_under_armed_prefix(const char *name) {
  pthread_mutex_lock(&lock);
  int result = name && is_armed && strncmp(name, armed_prefix, strlen(armed_prefix)) == 0;
  pthread_mutex_unlock(&lock);
  return result;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  if (!is_under_armed_prefix(name)) return system_vfs->xOpen(system_vfs, name, file, flags, out_flags);
  int fault = strike(FAULTING_VFS_OPENS, SQLITE_CANTOPEN);
  if (fault) {
    file->pMethods = 0;
    return fault;
  }
  faulting_file *faulting = (faulting_file *)file;
  faulting->real = (sqlite3_file *)(faulting + 1);
  int result = system_vfs->xOpen(system_vfs, name, faulting->real, flags, out_flags);
  // SQLite closes a file whose methods are set, even if opening it failed.
  faulting->base.pMethods = faulting->real->pMethods ? &methods : 0;
  return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  (void)vfs;
  int fault = is_under_armed_prefix(name) ? strike(FAULTING_VFS_DELETES, SQLITE_IOERR_DELETE) : SQLITE_OK;
  return fault ? fault : system_vfs->xDelete(system_vfs, name, sync_folder);
}

int faulting_vfs_register(void) {
  pthread_mutex_lock(&lock);
  int result = SQLITE_OK;
  if (!system_vfs) {
    system_vfs = sqlite3_vfs_find(0);
    shim = *system_vfs;
    shim.zName = "faulting";
    shim.szOsFile = system_vfs->szOsFile + (int)sizeof(faulting_file);
    shim.xOpen = open_file;
    shim.xDelete = delete_file;
    result = sqlite3_vfs_register(&shim, 1);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void faulting_vfs_arm(
    const char *path_prefix, faulting_vfs_calls kind, faulting_vfs_answer answer, long first, long count) {
  pthread_mutex_lock(&lock);
  strncpy(armed_prefix, path_prefix, sizeof armed_prefix - 1);
  is_armed = 1;
  armed_calls = kind;
  armed_answer = answer;
  first_failure = first;
  failure_count = count;
  calls = 0;
  pthread_mutex_unlock(&lock);
}

long faulting_vfs_disarm(void) {
  pthread_mutex_lock(&lock);
  is_armed = 0;
  long result = calls;
  pthread_mutex_unlock(&lock);
  return result;
}
