/** The page's texts in the user's language. Intl formats plurals, numbers and times. */
import { nodes, userText } from "./dom.js";

/** @typedef {string | Record<string, string>} Message a text, or one text per plural form */
/** @typedef {Record<string, Message>} Table */

const placeholder = /\{([a-z]+)\}/g;
/** The upper bounds of the ranges of relative times, in seconds, with the divisor of each. */
const relativeRanges = /** @type {[number, number, Intl.RelativeTimeFormatUnit][]} */ ([
    [60, 1, "second"],
    [3600, 60, "minute"],
    [86_400, 3600, "hour"],
    [86_400 * 30, 86_400, "day"],
    [86_400 * 365, 86_400 * 30, "month"],
    [Number.POSITIVE_INFINITY, 86_400 * 365, "year"],
]);

/** The present language's texts. Intl's formatters are created on first use, because they delay the first paint. */
export class Texts {
    language = "";
    locale = "";
    /** @type {Table} */
    table = {};
    /** @type {Intl.PluralRules | undefined} */
    #plural;
    /** @type {Intl.NumberFormat | undefined} */
    #numbers;
    /** @type {Intl.DateTimeFormat | undefined} */
    #times;
    /** @type {Intl.RelativeTimeFormat | undefined} */
    #relatives;

    /**
     * @param {string} language such as `de`
     * @param {Table} table
     * @param {() => number} now milliseconds since 1970
     * @param {readonly string[]} [tags] the user's languages such as `de-AT`, which decide the format of times and
     * numbers
     */
    constructor(language, table, now, tags) {
        this.now = now;
        this.choose(language, table, tags);
    }

    /**
     * Switches to another language.
     * @param {string} language
     * @param {Table} table
     * @param {readonly string[]} [tags]
     */
    choose(language, table, tags = []) {
        this.language = language;
        this.locale = tags.find((tag) => tag.split("-")[0] === language) ?? language;
        this.table = table;
        this.#plural = this.#numbers = this.#times = this.#relatives = undefined;
    }

    /**
     * Returns the text with its slots filled; `n` selects the plural form.
     * @param {string} key
     * @param {Record<string, string | number>} [values]
     */
    say(key, values = {}) {
        return this.form(key, values).replace(placeholder, (whole, name) => {
            const value = values[name];
            return typeof value === "number" ? this.number(value) : (value ?? whole);
        });
    }

    /**
     * Returns the text as nodes, for texts with elements in their slots. Strings are shown as user content.
     * @param {string} key
     * @param {Record<string, string | number | Node>} values
     */
    parts(key, values) {
        const pieces = this.form(key, values).split(placeholder);
        return nodes(
            pieces.map((piece, index) => {
                if (index % 2 === 0) return piece;
                const value = values[piece];
                if (typeof value === "number") return this.number(value);
                return typeof value === "string" ? userText(value) : value;
            }),
        );
    }

    /**
     * Adds the texts of a part that is loaded on demand.
     * @param {Table} table
     */
    add(table) {
        this.table = { ...this.table, ...table };
    }

    /** @param {string} key */
    has(key) {
        return key in this.table;
    }

    /**
     * @param {string} key
     * @param {Record<string, unknown>} values
     * @returns {string}
     */
    form(key, values) {
        const message = this.table[key];
        if (message === undefined) {
            console.error("missing text", key);
            return key;
        }
        if (typeof message === "string") return message;
        this.#plural ??= new Intl.PluralRules(this.language);
        return message[this.#plural.select(Number(values.n))] ?? message.other;
    }

    /** @param {number} number */
    number(number) {
        this.#numbers ??= new Intl.NumberFormat(this.locale);
        return this.#numbers.format(number);
    }

    /**
     * Formats a size in bytes.
     * @param {number} bytes
     */
    size(bytes) {
        const [divisor, unit] =
            bytes < 1024 ? [1, "byte"] : bytes < 1024 ** 2 ? [1024, "kilobyte"] : [1024 ** 2, "megabyte"];
        const form = {
            style: /** @type {const} */ ("unit"),
            unit,
            maximumFractionDigits: bytes < 10 * divisor ? 1 : 0,
        };
        return new Intl.NumberFormat(this.locale, form).format(bytes / divisor);
    }

    /**
     * Formats a timestamp of the API as date and time.
     * @param {string} timestamp
     */
    time(timestamp) {
        const time = new Date(timestamp);
        if (Number.isNaN(time.getTime())) return timestamp;
        this.#times ??= new Intl.DateTimeFormat(this.locale, { dateStyle: "medium", timeStyle: "medium" });
        return this.#times.format(time);
    }

    /**
     * Formats a timestamp relative to now, such as "5 minutes ago".
     * @param {string} timestamp
     */
    relative(timestamp) {
        const seconds = (new Date(timestamp).getTime() - this.now()) / 1000;
        if (Number.isNaN(seconds)) return timestamp;
        const [, divisor, unit] = relativeRanges.find(([end]) => Math.abs(seconds) < end) ?? relativeRanges[5];
        this.#relatives ??= new Intl.RelativeTimeFormat(this.language, { numeric: "auto" });
        return this.#relatives.format(Math.round(seconds / divisor), unit);
    }
}
