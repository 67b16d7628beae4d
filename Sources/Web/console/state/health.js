// The health checks of a status, and the interval between polls.

/**
 * @typedef {{version: string, started_at: string, revision: number, config_version: string, lineage: string,
 *     entries: number, limits?: Record<string, number>,
 *     database: {reachable: boolean, milliseconds?: number, server_version?: string, schema?: number, bytes?: number,
 *         is_standby?: boolean},
 *     backup_age_seconds: number | null, stale: boolean}} Status
 * @typedef {{version: string, started_at: string, streams: number}} EventsStatus
 * @typedef {"good" | "warning" | "bad"} Level
 * @typedef {{name: "config" | "database" | "backup" | "room" | "events", level: Level}} Check
 */

const backupDays = 2;

/** @param {Status} status @param {EventsStatus | undefined} events @returns {Check[]} */
export function checks(status, events) {
    const room = (status.limits?.entries ?? 10_000) - status.entries;
    const age = status.backup_age_seconds;
    return [
        { name: "config", level: status.stale ? "bad" : "good" },
        { name: "database", level: databaseLevel(status.database) },
        { name: "events", level: events ? (events.version === status.version ? "good" : "warning") : "bad" },
        { name: "backup", level: age !== null && age < backupDays * 86_400 ? "good" : "warning" },
        { name: "room", level: room <= 0 ? "bad" : room < 500 ? "warning" : "good" },
    ];
}

/** @param {Status["database"]} database @returns {Level} */
function databaseLevel(database) {
    if (!database.reachable) return "bad";
    return database.is_standby || (database.milliseconds ?? 0) > 100 ? "warning" : "good";
}

/** @param {Check[]} list @returns {Level} */
export function worst(list) {
    return list.some(({ level }) => level === "bad")
        ? "bad"
        : list.some(({ level }) => level === "warning")
          ? "warning"
          : "good";
}

/**
 * Returns the milliseconds until the next poll: ten seconds, with backoff after failures; undefined while the page is
 * hidden.
 * @param {boolean} hidden @param {number} failures in a row
 */
export function pollDelay(hidden, failures) {
    return hidden ? undefined : Math.min(10_000 * 2 ** failures, 120_000);
}

/**
 * Appends a value to a measure and keeps the last ones.
 * @param {number[]} values @param {number | undefined} value @param {number} limit
 */
export function recorded(values, value, limit = 60) {
    return value === undefined ? values : [...values, value].slice(-limit);
}

/**
 * Returns the points of an SVG polyline over values, in a box of the given width and height.
 * @param {number[]} values @param {number} width @param {number} height
 */
export function sparkline(values, width, height) {
    const top = Math.max(...values, 1);
    const step = values.length > 1 ? width / (values.length - 1) : 0;
    return values
        .map((value, at) => `${(at * step).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`)
        .join(" ");
}
