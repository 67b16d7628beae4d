// The values of each pinned major, side by side.

/**
 * @typedef {{major: number, version: string, current: boolean, keeps: string[],
 *     lacks: {key: string, reason: string}[], last_asked_at: string | null, retired_at: string | null}} Major
 * A key with its value in each major, as JSON text; undefined if the major does not have the key.
 * @typedef {{key: string, values: (string | undefined)[], differs: boolean}} MajorRow
 */

/** @param {ReadonlyMap<string, string>[]} seen the config of each major, the newest first @returns {MajorRow[]} */
export function sideBySide(seen) {
    const keys = [...new Set(seen.flatMap((values) => [...values.keys()]))].sort();
    return keys.map((key) => {
        const values = seen.map((major) => major.get(key));
        return { key, values, differs: values.some((value) => value !== values[0]) };
    });
}

/**
 * Returns the rows lost with a major: no other major has the same value.
 * @param {MajorRow[]} rows @param {number} column @returns {MajorRow[]}
 */
export function rowsLostWith(rows, column) {
    return rows.filter(({ values }) => {
        const value = values[column];
        return value !== undefined && values.every((other, at) => at === column || other !== value);
    });
}

/** The days without a request after which builds of a major are probably gone. */
const unusedDays = 30;

/**
 * @param {Major} major
 * @param {number} now milliseconds since 1970
 * @returns {"current" | "retired" | "never" | "quiet" | "asked"}
 */
export function usageOf(major, now) {
    if (major.retired_at) return "retired";
    if (major.current) return "current";
    if (!major.last_asked_at) return "never";
    return now - Date.parse(major.last_asked_at) > unusedDays * 86_400_000 ? "quiet" : "asked";
}
