#include "PageLimit.h"

// Apple's SQLite has no extensions for the whole process.
#ifndef __APPLE__

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char limited_prefix[1024];
static int page_limit;

/// SQLite calls this for every connection that is opened.
static int limit_connection(sqlite3 *database, char **message, const struct sqlite3_api_routines *routines) {
  (void)message, (void)routines;
  const char *name = sqlite3_db_filename(database, "main");
  char pragma[64] = "";
  pthread_mutex_lock(&lock);
  if (name && page_limit > 0 && strncmp(name, limited_prefix, strlen(limited_prefix)) == 0) {
    snprintf(pragma, sizeof pragma, "PRAGMA max_page_count = %d", page_limit);
  }
  pthread_mutex_unlock(&lock);
  return sqlite3_exec(database, pragma, 0, 0, 0);
}

int page_limit_set(const char *path_prefix, int pages) {
  pthread_mutex_lock(&lock);
  strncpy(limited_prefix, path_prefix, sizeof limited_prefix - 1);
  page_limit = pages;
  pthread_mutex_unlock(&lock);
  // SQLite keeps one entry, however often it is added.
  return sqlite3_auto_extension((void (*)(void))limit_connection);
}

#endif
