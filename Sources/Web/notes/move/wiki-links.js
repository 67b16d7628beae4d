/**
 * Turns the wiki links of Obsidian and Bear between imported notes into links: `[[Note]]`, `[[Folder/Note#Heading]]` and
 * `[[Note|words]]` become `[words](notes/<id>)`. Bear's addresses of notes become such links too.
 *
 * Links to other notes, to headings of the same note, embedded files (`![[…]]`) and code stay as they are.
 */

import { split } from "./front-matter.js";
import { escaped } from "./markdown-text.js";
import { folded } from "./portable-notes.js";

/** @import { PortableNote } from "./portable-notes.js" */

/**
 * A note with the path of its file, and its identifier in Bear.
 * @typedef {{ note: PortableNote, path: string, identifier?: string }} PlacedNote
 */

const isLinked = /\[\[|\(bear:/;
/** A block of code, code in a line, a wiki link, or a link with an address of Bear's. */
const pattern = new RegExp(
    [
        String.raw`^[ \t>]*(\x60{3,}|~{3,})[^\n]*$[\s\S]*?(?:^[ \t>]*\1|$(?![\s\S]))`,
        String.raw`(?<!\x60)(\x60+)(?!\x60)[^\n]*?(?<!\x60)\2(?!\x60)`,
        String.raw`(!?)\[\[([^[\]\n|]+?)(?:\\?\|([^[\]\n]+))?\]\]`,
        String.raw`\]\(bear:\/\/x-callback-url\/open-note\?(?:[^()\s]*&)?id=([\w-]+)[^()\s]*\)`,
    ].join("|"),
    "gm",
);

/**
 * Replaces the links in the notes' texts. Returns the links without a note, by note.
 * @param {PlacedNote[]} sources the notes whose texts change
 * @param {PlacedNote[]} targets
 */
export function linkNotes(sources, targets) {
    /** @type {Map<PortableNote, string[]>} */
    const lost = new Map();
    const index = new NoteIndex(targets);
    for (const { note, path } of sources.filter(({ note }) => isLinked.test(note.body))) {
        const from = note.body.length - (split(note.body)?.rest ?? note.body).length;
        /** @type {string[]} */
        const names = [];
        const text = note.body.slice(from).replace(pattern, (whole, fence, code, embed, target, words, identifier) => {
            if (fence || code || embed || target?.startsWith("#")) return whole;
            const id = identifier ? index.identified(identifier) : index.named(target, path);
            if (!id) names.push(identifier ? whole.slice(2, -1) : target);
            if (!id) return whole;
            return identifier ? `](notes/${id})` : `[${escaped((words ?? target).trim())}](notes/${id})`;
        });
        note.body = note.body.slice(0, from) + text;
        if (names.length > 0) lost.set(note, [...new Set(names)]);
    }
    return lost;
}

/** Finds a note by its path, the end of its path, or its title. */
class NoteIndex {
    /** The ids by key; null for several notes. @type {Map<string, string | null>} */
    #ids = new Map();

    /** @param {PlacedNote[]} targets */
    constructor(targets) {
        for (const { note, path, identifier } of targets) {
            const parts = path.replace(/\.(?:md|markdown)$/i, "").split("/");
            const keys = parts.map((_, index) => `…/${parts.slice(index).join("/")}`);
            for (const key of new Set([`/${parts.join("/")}`, ...keys, `title ${note.title}`])) this.#add(key, note.id);
            if (identifier) this.#add(`id ${identifier}`, note.id);
        }
    }

    /** @param {string} key @param {string} id */
    #add(key, id) {
        const name = folded(key);
        this.#ids.set(name, this.#ids.has(name) ? null : id);
    }

    /** @param {string} identifier */
    identified = (identifier) => this.#ids.get(folded(`id ${identifier}`)) ?? null;

    /**
     * Returns the id of a note, or null if no note or several notes have the name.
     * @param {string} target the name, with or without a path, an ending and a heading
     * @param {string} path the path of the linking note's file
     */
    named(target, path) {
        const folder = path.replace(/[^/]*$/, "");
        for (const name of [target, target.replace(/#.*$/, ""), target.replace(/\/[^/]*$/, "")]) {
            const place = name.trim().replace(/\.md$/i, "").replace(/^\//, "");
            const keys = [`/${place}`, `…/${place}`, `/${folder}${place}`, `title ${name.trim()}`];
            for (const key of keys) {
                const id = this.#ids.get(folded(key));
                if (id) return id;
            }
        }
        return null;
    }
}
