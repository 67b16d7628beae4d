#pragma once
#include <sqlite3.h>

// Binds a text that SQLite copies. Swift does not import SQLITE_TRANSIENT, a cast of -1 to a function.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
