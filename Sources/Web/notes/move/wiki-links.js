/**
 * Turns the wiki links of Obsidian and Bear between imported notes into links: `[[Note]]`, `[[Folder/Note#Heading]]` and
 * `[[Note|words]]` become `[words](notes/<id>)`. Bear's addresses of notes and paths of files become such links too.
 * An export writes links between notes as links to the paths of their files.
 *
 * Links to other notes, to headings of the same note, embedded files (`![[…]]`) and code stay as they are.
 */

import { escaped } from "../markdown/escapes.js";
import { split } from "./front-matter.js";
import { folded } from "./portable-notes.js";

/** @import { PortableNote } from "./portable-notes.js" */

/**
 * A note with the path of its file, and its identifier in Bear. In a note of Almanac's own, only paths are links. A
 * note in a bundle has the bundle's path, and `filePath` is that of its file.
 * @typedef {{ note: PortableNote, path: string, filePath?: string, identifier?: string, isOurs?: boolean }} PlacedNote
 */

const isLinked = /\[\[|\(bear:|\.(?:md|markdown)\)/i;
/** A block of code, and code in a line. */
export const code = [
    String.raw`^[ \t>]*(\x60{3,}|~{3,})[^\n]*$[\s\S]*?(?:^[ \t>]*\1|$(?![\s\S]))`,
    String.raw`(?<!\x60)(\x60+)(?!\x60)[^\n]*?(?<!\x60)\2(?!\x60)`,
];
/** Code, a wiki link, or a link with an address of Bear's or a path. */
const pattern = new RegExp(
    [
        ...code,
        String.raw`(!?)\[\[([^[\]\n|]+?)(?:\\?\|([^[\]\n]+))?\]\]`,
        String.raw`\]\(bear:\/\/x-callback-url\/open-note\?(?:[^()\s]*&)?id=([\w-]+)[^()\s]*\)`,
        String.raw`\]\(([^() \t\n:<>]+\.(?:md|markdown))\)`,
    ].join("|"),
    "gim",
);
/** Code, or a link to a note. */
const ownPattern = new RegExp([...code, String.raw`\]\(notes/([\w-]{1,64})\)`].join("|"), "gm");
/** The characters of a file's name that an address cannot contain. */
const unfit = /[ ()%&`]/g;

/** Encodes a character of ASCII. @param {string} sign */
const encodedSign = (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Returns the offset of a text after its front matter. @param {string} body */
export const startOf = (body) => body.length - (split(body)?.rest ?? body).length;

/**
 * Replaces the links to notes by links to the paths of their files.
 * @param {string} body
 * @param {Map<string, string>} paths the paths by id
 */
export function withPaths(body, paths) {
    const from = startOf(body);
    const text = body.slice(from).replace(ownPattern, (whole, _fence, _code, id) => {
        const path = paths.get(id);
        return path === undefined ? whole : `](${path.replace(unfit, encodedSign)})`;
    });
    return body.slice(0, from) + text;
}

/**
 * Replaces the links in the notes' texts. Returns the links without a note, by note.
 * @param {PlacedNote[]} all
 */
export function linkNotes(all) {
    /** @type {Map<PortableNote, string[]>} */
    const lost = new Map();
    const index = new NoteIndex(all);
    for (const { note, path, isOurs } of all.filter(({ note }) => isLinked.test(note.body))) {
        const from = startOf(note.body);
        /** @type {string[]} */
        const names = [];
        /** @type {(...parts: string[]) => string} */
        const linked = (whole, fence, code, embed, target, words, identifier, file) => {
            const fileID = file && index.placed(file, path);
            if (fileID) return `](notes/${fileID})`;
            if (isOurs || file || fence || code || embed || target?.startsWith("#")) return whole;
            const id = identifier ? index.identified(identifier) : index.named(target, path);
            if (!id) names.push(identifier ? whole.slice(2, -1) : target);
            if (!id) return whole;
            return identifier ? `](notes/${id})` : `[${escaped((words ?? target).trim())}](notes/${id})`;
        };
        note.body = note.body.slice(0, from) + note.body.slice(from).replace(pattern, linked);
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
     * Returns the id of the note in a file, or null.
     * @param {string} file the path of the file, relative to the linking note, with encoded characters
     * @param {string} path the path of the linking note's file
     */
    placed(file, path) {
        let name = file;
        try {
            name = decodeURIComponent(file);
        } catch {
            // A name may contain a percent sign.
        }
        const folder = path.replace(/[^/]*$/, "");
        return this.#ids.get(folded(`/${folder}${name}`.replace(/\.\w+$/, ""))) ?? null;
    }

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
