/** The editor for a value, selected by the value's form; and the checks of keys. */
import { isKey } from "../../shared/formats.js";
import { failureOf, typeOf } from "../../shared/json.js";
import { pretty, same } from "../../shared/json-forms.js";

/** @typedef {"switch" | "number" | "text" | "color" | "date" | "link" | "json"} Kind */

/** @type {Kind[]} */
export const kinds = ["text", "number", "switch", "color", "date", "link", "json"];

const colorForm = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const dateForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const linkForm = /^https?:\/\/\S+$/i;
/** The server's limits, in bytes. */
export const maxValueBytes = 256 * 1024;
export const maxDescriptionBytes = 4096;

/**
 * @param {string} text a JSON text
 * @returns {Kind}
 */
export function kindOf(text) {
    const type = typeOf(text);
    if (type === "boolean") return "switch";
    if (type === "number") return "number";
    if (type !== "string") return "json";
    // A longer text is neither a colour, a date nor a link, so it need not be parsed.
    if (text.length > 2100) return "text";
    const plain = JSON.parse(text);
    if (colorForm.test(plain)) return "color";
    if (dateForm.test(plain) && !Number.isNaN(Date.parse(plain))) return "date";
    return linkForm.test(plain) ? "link" : "text";
}

/**
 * Returns the reason why a text is not a value of this kind (a key of the texts), or null.
 * @param {Kind} kind
 * @param {string} text the typed text
 */
export function faultOf(kind, text) {
    if (kind === "number") {
        if (failureOf(text) || typeOf(text) !== "number") return "value.number.fault";
        if (!Number.isFinite(Number(text))) return "value.number.range";
    }
    if (kind === "color" && !colorForm.test(text)) return "value.color.fault";
    if (kind === "date" && !(dateForm.test(text) && !Number.isNaN(Date.parse(text)))) return "value.date.fault";
    if (kind === "link" && !(linkForm.test(text) && URL.canParse(text))) return "value.link.fault";
    return null;
}

/**
 * Converts a value to the nearest value of another kind: 0 or false if there is none.
 * @param {string} text a JSON text
 * @param {Kind} kind
 * @returns {string}
 */
export function converted(text, kind) {
    const type = typeOf(text);
    const plain = type === "string" ? JSON.parse(text) : text;
    switch (kind) {
        case "switch":
            return type === "boolean" ? text : String(/^(true|yes|on|1)$/i.test(plain));
        case "number":
            return faultOf("number", plain.trim()) ? String(Number(plain.trim() === "true")) : plain.trim();
        case "json":
            if (plain.trim() === "") return "{}";
            return failureOf(plain) === null && plain.trim() !== "null" ? plain : text;
        default:
            return type === "string"
                ? text
                : JSON.stringify(type === "object" || type === "array" ? pretty(text) : text);
    }
}

/** Conversions of one value. An unedited conversion starts again from the value before it, which may hold more. */
export class Conversion {
    /** @type {{ kind: Kind, value: string, text: string } | null} the value before its conversion to `text` */
    origin = null;

    /**
     * @param {string} [before] the released value, which may have been converted on an earlier visit
     * @param {string} [now] the draft's value
     */
    constructor(before, now = "null") {
        if (before !== undefined && same(converted(before, kindOf(now)), now))
            this.origin = { kind: kindOf(before), value: before, text: now };
    }

    /**
     * @param {Kind} kind
     * @param {string} value a JSON text
     * @param {Kind} next
     */
    convert(kind, value, next) {
        const known = this.origin && same(this.origin.text, value) ? this.origin : { kind, value };
        const text = next === known.kind ? known.value : converted(known.value, next);
        this.origin = { kind: known.kind, value: known.value, text };
        return text;
    }
}

/**
 * Returns the reason why a key cannot be added (a key of the texts), or null.
 * @param {string} key
 * @param {(key: string) => boolean} taken
 */
export function keyFault(key, taken) {
    if (key === "") return "key.empty";
    if (key.length > 128) return "key.long";
    if (!/^[A-Za-z_]/.test(key)) return "key.start";
    if (!isKey(key)) return "key.form";
    if (key === "_flags") return "key.reserved";
    return taken(key) ? "key.taken" : null;
}

/** The limit on keys that a refusal names. */
const maxNames = 5;

/**
 * Returns the first reason against one of the keys, with the names of all keys that it refuses; null if there is none.
 * @param {string[]} keys
 * @param {(key: string) => string | null} fault
 * @returns {[reason: string, names: string] | null}
 */
export function refusal(keys, fault) {
    const reasons = keys.map(fault);
    const reason = reasons.find((one) => one !== null);
    if (!reason) return null;
    const refused = keys.filter((_, at) => reasons[at] === reason);
    return [reason, refused.slice(0, maxNames).join(", ") + (refused.length > maxNames ? ", …" : "")];
}

/** @param {string} text */
export function bytesOf(text) {
    return new TextEncoder().encode(text).length;
}
