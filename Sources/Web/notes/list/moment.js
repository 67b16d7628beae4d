/** What the times of notes are called. */

/** @typedef {import("../../shared/texts.js").Texts} Texts */
/** What a time is called on a day, shortly and in full. @typedef {{ short: string, full: string }} Moment */

/** By what they show and the reader's language. @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * What a time is called today: by the hour, if it was today, else by its day.
 * @param {Texts} texts
 * @param {Date} time
 * @returns {Moment}
 */
export function momentOf(texts, time) {
    const isToday = time.toDateString() === new Date(texts.now()).toDateString();
    const key = `${isToday} ${texts.locale}`;
    const format =
        formats.get(key) ??
        new Intl.DateTimeFormat(texts.locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium" });
    formats.set(key, format);
    return { short: format.format(time), full: texts.time(time.toISOString()) };
}

/**
 * Is another where moments are called otherwise: on another day, in another zone or language.
 * @param {Texts} texts
 */
export function dayOf(texts) {
    const now = new Date(texts.now());
    return `${now.toDateString()} ${now.getTimezoneOffset()} ${texts.locale}`;
}
