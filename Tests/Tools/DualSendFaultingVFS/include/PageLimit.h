#ifndef PAGE_LIMIT_H
#define PAGE_LIMIT_H

/// Gives every database whose path starts so, from its next opening on, at most this many pages (PRAGMA
/// max_page_count): a write that needs more answers SQLITE_FULL. One folder at a time.
/// Returns a SQLite result code. Not on Apple's systems, whose SQLite has nothing to hook in.
int page_limit_set(const char *path_prefix, int pages);

#endif
