/** Changes that are made to several flags at once. */
import { editableDefinition, metadataOf, tagsOf, withMember, withMetadata } from "./flags.js";
import { audiencesOf, referencesIn } from "./flags-references.js";
import { readTree, writeTree } from "./flags-tree.js";

/** The limit on an owner and on tags, in UTF-16 units. */
export const maxLength = 128;

/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {(definition: Members) => Members | null} Change null if the page does not know the form of the member */

/**
 * Returns the text of a definition after a change: the same text if nothing changes, or null if the page does not know
 * the form of the definition.
 * @param {string} text
 * @param {Change} change
 */
export function changedText(text, change) {
    const definition = editableDefinition(readTree(text));
    const next = definition && change(definition);
    return next && (next === definition ? text : writeTree(next));
}

/** Turns flags on or off. @param {boolean} isOn @returns {Change} */
export const switching = (isOn) => (definition) => {
    const state = isOn ? "ENABLED" : "DISABLED";
    return definition.get("state") === state ? definition : withMember(definition, "state", state);
};

/**
 * Sets a member of the metadata, or removes it if the value is empty or false.
 * @param {string} name
 * @param {string | boolean} value
 * @returns {Change}
 */
export const describing = (name, value) => (definition) => {
    const was = metadataOf(definition).get(name);
    if ((was || undefined) === (value || undefined)) return definition;
    return was === undefined || typeof was === typeof value ? withMetadata(definition, name, value || undefined) : null;
};

/**
 * Adds tags and removes others.
 * @param {string[]} added
 * @param {string[]} [removed]
 * @returns {Change}
 */
export const tagging =
    (added, removed = []) =>
    (definition) => {
        const tags = tagsOf(definition);
        const next = [...new Set([...tags, ...added])].filter((tag) => !removed.includes(tag));
        return next.length === tags.length ? definition : describing("tags", next.join(", "))(definition);
    };

/**
 * Returns the text of a file in flagd's format.
 * @param {[key: string, value: string][]} flags
 * @param {Members} audiences
 */
export function flagFile(flags, audiences) {
    const members = flags.map(([key, value]) => `\n${JSON.stringify(key)}: ${value}`);
    return `{"flags": {${members}},\n"$evaluators": ${writeTree(audiences)}}\n`;
}

/**
 * Returns the names of the audiences that flags use and an environment lacks.
 * @param {string[]} values the definitions of the flags
 * @param {import("./draft.js").Content | null | undefined} set the flag set of the environment
 */
export function missingAudiences(values, set) {
    const rules = values.map((value) => /** @type {any} */ (readTree(value))?.get?.("targeting"));
    const there = audiencesOf(set);
    return [...referencesIn(rules)].filter((name) => !there.has(name));
}
