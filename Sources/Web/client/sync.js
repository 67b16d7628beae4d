/**
 * The pure parts of the client: merging deltas, stored snapshots, back-off, and the lines of an event stream.
 *
 * @typedef {{ cursor: string, etag: string, version: string, entries: Map<string, any> }} Snapshot
 * @typedef {{ key: string, value?: any, kind?: string, deleted?: boolean }} Change
 */

/**
 * Applies a response to a snapshot's entries. A full response replaces all of them. Flags are no values for an app.
 *
 * @param {Map<string, any>} entries
 * @param {Change[]} changes
 * @param {boolean} isFull
 * @returns {Map<string, any>}
 */
export function merge(entries, changes, isFull) {
    const merged = new Map(isFull ? [] : entries);
    for (const { key, value, kind, deleted } of changes) {
        if (deleted || (kind ?? "value") !== "value") merged.delete(key);
        else merged.set(key, entries.has(key) && isEqual(entries.get(key), value) ? entries.get(key) : freeze(value));
    }
    return merged;
}

/**
 * Returns the keys whose values differ.
 *
 * @param {Map<string, any>} before
 * @param {Map<string, any>} after
 */
export function changedKeys(before, after) {
    return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
}

/** @param {any} one @param {any} other */
const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {any} value @returns {any} */
function freeze(value) {
    if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
    return value;
}

/**
 * Returns true if a value has the type of a default. Every value fits a default that is undefined or null.
 *
 * @param {any} value
 * @param {any} fallback
 */
export const fits = (value, fallback) =>
    value !== undefined && (fallback == null || typeName(value) === typeName(fallback));

/** @param {any} value */
const typeName = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/**
 * Returns the text of a value with its checksum, which detects a partial or foreign text.
 *
 * @param {any} value
 */
export function seal(value) {
    const text = JSON.stringify(value);
    return `${checksum(text)}:${text}`;
}

/**
 * Returns the value of a sealed text; undefined if the text is not whole.
 *
 * @param {string | null | undefined} sealed
 * @returns {any}
 */
export function unseal(sealed) {
    const [, sum, text] = /^(\d+):(.*)$/s.exec(sealed ?? "") ?? [];
    return text && checksum(text) === Number(sum) ? JSON.parse(text) : undefined;
}

/** Returns the FNV-1a hash of a text's UTF-16 units. @param {string} text */
function checksum(text) {
    let hash = 0x811c9dc5;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    return hash >>> 0;
}

/**
 * Returns the wait before a retry in milliseconds: it doubles from 1 s to one minute, and up to half is random.
 *
 * @param {number} failures
 * @param {number} random a number from 0 to 1
 */
export const backOff = (failures, random) => Math.min(60_000, 1000 * 2 ** failures) * (1 - random / 2);

/**
 * Returns a function that takes pieces of an event stream and returns the data of the events that they complete.
 *
 * @returns {(piece: string) => any[]}
 */
export function eventParser() {
    let pending = "";
    return (piece) => {
        const blocks = (pending + piece).split(/\r?\n\r?\n/);
        pending = /** @type {string} */ (blocks.pop());
        return blocks.flatMap((block) => {
            const data = block.split(/\r?\n/).flatMap((line) => /^data: ?(.*)/.exec(line)?.[1] ?? []);
            try {
                return data.length ? [JSON.parse(data.join("\n"))] : [];
            } catch {
                return [];
            }
        });
    };
}
