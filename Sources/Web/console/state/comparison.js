// Compares two configs, exactly: values are JSON texts, so that numbers differ when their digits do.

import { same as isSameValue } from "../../shared/json-forms.js";
import { wordsOf } from "./fuzzy.js";

/**
 * One entry, its value as JSON text.
 * @typedef {{value: string, description: string, kind?: string}} Entry
 * @typedef {Map<string, Entry>} Config
 * What copying the source over the target would do to a key.
 * @typedef {"added" | "removed" | "changed"} Kind
 * @typedef {{key: string, kind: Kind, source?: Entry, target?: Entry}} Line
 * @typedef {{lines: Line[], same: number}} Comparison
 * What was chosen: each key with the line as it was when it was chosen.
 * @typedef {Map<string, Line>} Choice
 */

/** @param {Config} source @param {Config} target @returns {Comparison} */
export function compare(source, target) {
    /** @type {Line[]} */
    const lines = [];
    let same = 0;
    for (const [key, entry] of source) {
        const there = target.get(key);
        if (!there) lines.push({ key, kind: "added", source: entry });
        else if (isSame(entry, there)) same++;
        else lines.push({ key, kind: "changed", source: entry, target: there });
    }
    for (const [key, entry] of target) if (!source.has(key)) lines.push({ key, kind: "removed", target: entry });
    lines.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { lines, same };
}

/** @param {Entry | undefined} one @param {Entry | undefined} other */
function isSame(one, other) {
    if (!one || !other) return one === other;
    return one.description === other.description && one.kind === other.kind && isSameValue(one.value, other.value);
}

/**
 * The lines of some kinds whose key or values contain every word of a text.
 * @param {Line[]} lines @param {ReadonlySet<Kind>} kinds @param {string} text @returns {Line[]}
 */
export function filtered(lines, kinds, text) {
    const words = wordsOf(text);
    return lines.filter((line) => {
        if (!kinds.has(line.kind)) return false;
        if (words.length === 0) return true;
        const hay = hayOf(line);
        return words.every((word) => hay.includes(word));
    });
}

/** @type {WeakMap<Line, string>} what a filter looks at, made once */
const hays = new WeakMap();

/** @param {Line} line */
function hayOf(line) {
    let hay = hays.get(line);
    if (hay === undefined) {
        hay = `${line.key} ${line.source?.value ?? ""} ${line.target?.value ?? ""}`.toLowerCase();
        hays.set(line, hay);
    }
    return hay;
}

/** @param {Line[]} lines @returns {Record<Kind, number>} */
export function counts(lines) {
    const result = { added: 0, removed: 0, changed: 0 };
    for (const line of lines) result[line.kind]++;
    return result;
}

/**
 * A choice in which some lines are chosen, or are not.
 * @param {Choice} choice @param {Line[]} lines @param {boolean} chosen @returns {Choice}
 */
export function choosing(choice, lines, chosen) {
    const result = new Map(choice);
    for (const line of lines) {
        if (chosen) result.set(line.key, line);
        else result.delete(line.key);
    }
    return result;
}

/**
 * Brings a choice to a comparison that was made later. A chosen line that came to say something else is given up and
 * told, since nobody has looked at what it says now; one that no longer differs is dropped.
 * @param {Choice} choice @param {Line[]} lines
 * @returns {{choice: Choice, moved: string[], settled: string[]}}
 */
export function rebase(choice, lines) {
    const now = new Map(lines.map((line) => [line.key, line]));
    /** @type {Choice} */
    const result = new Map();
    const moved = [];
    const settled = [];
    for (const [key, chosen] of choice) {
        const line = now.get(key);
        if (!line) settled.push(key);
        else if (isSame(line.source, chosen.source) && isSame(line.target, chosen.target)) result.set(key, line);
        else moved.push(key);
    }
    return { choice: result, moved, settled };
}

/**
 * The body of the PATCH (`?replace=true&form=entries`) that does what was chosen.
 * @param {Iterable<Line>} lines @returns {string}
 */
export function promotion(lines) {
    const members = [];
    for (const { key, source, target } of lines) {
        if (!source) {
            members.push(`${JSON.stringify(key)}:null`);
            continue;
        }
        const description =
            source.description === (target?.description ?? "")
                ? ""
                : `,"description":${JSON.stringify(source.description)}`;
        const kind = source.kind === target?.kind ? "" : `,"kind":"${source.kind ?? "value"}"`;
        members.push(`${JSON.stringify(key)}:{"value":${source.value}${description}${kind}}`);
    }
    return `{${members.join(",")}}`;
}
