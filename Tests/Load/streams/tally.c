#include "tally.h"

#include <stdio.h>
#include <string.h>

void tally_add(struct tally *tally, const char *reason) {
    int max_rows = sizeof tally->rows / sizeof *tally->rows, row = 0;
    char text[sizeof tally->rows->reason];
    snprintf(text, sizeof text, "%s", reason);
    while (row < tally->count && strcmp(tally->rows[row].reason, text) != 0) row++;
    if (row == max_rows) row = max_rows - 1;
    if (row == tally->count) {
        tally->count++;
        strcpy(tally->rows[row].reason, row == max_rows - 1 ? "other reasons" : text);
    }
    tally->rows[row].count++;
}

void tally_print(const char *name, const struct tally *tally) {
    for (int row = 0; row < tally->count; row++) {
        printf("%s %d %s\n", name, tally->rows[row].count, tally->rows[row].reason);
    }
}
