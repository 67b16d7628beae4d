/** Conversion between the times in rules and the fields for local times. */

/** Returns the name of the local time zone. */
export const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Parses a rule's time like the server: a missing zone is UTC. Returns milliseconds since 1970, or NaN.
 * @param {string} text
 */
export function instantOf(text) {
    const [, day, time = "00:00", zone = "Z"] =
        /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text) ?? [];
    return Date.parse(`${day}T${time}${zone.toUpperCase()}`);
}

/** @param {number} instant milliseconds since 1970 */
export const timeText = (instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/**
 * Returns a rule's time as the value of a `datetime-local` field, or an empty text if it is no time.
 * @param {string} text
 */
export function localTime(text) {
    const instant = instantOf(text);
    if (Number.isNaN(instant)) return "";
    return timeText(instant - new Date(instant).getTimezoneOffset() * 60_000).replace(/(?::00)?Z$/, "");
}

/**
 * Returns the rule's time of a `datetime-local` field. The result is empty for a time that clocks skip in this zone.
 * @param {string} value
 */
export function readLocalTime(value) {
    const instant = Date.parse(value);
    const text = Number.isNaN(instant) ? "" : timeText(instant);
    return text && localTime(text).startsWith(value.slice(0, 16)) ? text : "";
}
