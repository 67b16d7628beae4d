/** Formats notes' timestamps for display. */

/** @typedef {import("../../shared/texts.js").Texts} Texts */
/** The short and the full form of a timestamp on a certain day. @typedef {{ short: string, full: string }} NoteDate */

/** The formats by style and locale. @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * Formats a timestamp for display today: the time of day for today, else the date.
 * @param {Texts} texts
 * @param {Date} time
 * @returns {NoteDate}
 */
export function formatNoteDate(texts, time) {
    const isToday = time.toDateString() === new Date(texts.now()).toDateString();
    const key = `${isToday} ${texts.locale}`;
    const format =
        formats.get(key) ??
        new Intl.DateTimeFormat(texts.locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium" });
    formats.set(key, format);
    return { short: format.format(time), full: texts.time(time.toISOString()) };
}

/**
 * Returns a key that changes with the day, the time zone or the language, and so with the form of timestamps.
 * @param {Texts} texts
 */
export function dayKey(texts) {
    const now = new Date(texts.now());
    return `${now.toDateString()} ${now.getTimezoneOffset()} ${texts.locale}`;
}
