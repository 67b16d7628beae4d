/**
 * Reads XML piece by piece, without a tree: start tags, end tags and texts.
 *
 * Comments, processing instructions and the document type are skipped. Entities that a document type declares are never
 * expanded, and nothing outside the text is fetched.
 */

import { decoded } from "../markdown/decoding.js";
import { MoveFailure } from "./portable-notes.js";

/**
 * A text may come in several parts. An empty element is a start and an end.
 * @typedef {{ kind: "start", name: string, attributes: Map<string, string> } | { kind: "end", name: string }
 *     | { kind: "text", text: string }} XMLToken
 */

const attribute = String.raw`([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')`;
const tag = new RegExp(String.raw`<(/?)([A-Za-z_][\w:.-]*)((?:\s+${attribute})*)\s*(/?)>`, "y");
const attributes = new RegExp(attribute, "g");
const quoted = `"[^"]*"|'[^']*'`;
const documentType = new RegExp(`<!DOCTYPE(?:[^"'[>]|${quoted}|\\[(?:[^"'\\]]|${quoted})*\\])*>`, "y");
/** The starts of sections, with their ends. @type {[string, string][]} */
const sections = [
    ["<![CDATA[", "]]>"],
    ["<!--", "-->"],
    ["<?", "?>"],
];
/** The maximum length of a tag or of a document type, in UTF-16 units. */
const maxTagLength = 1 << 20;
const maxReferenceLength = 12;

/** Replaces numbers of characters and known entities. Others stay text. @param {string} text */
const withCharacters = (text) => text.replace(/&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g, decoded);

export class XMLReader {
    /** The end of the input that no token contains yet. */
    #rest = "";
    /** The end of the current section, or an empty text. */
    #sectionEnd = "";

    /**
     * Yields the tokens that a piece completes.
     * @param {string} piece
     * @returns {Generator<XMLToken, void>}
     */
    *read(piece) {
        const input = this.#rest + piece;
        let at = 0;
        while (at < input.length) {
            const from = at;
            if (this.#sectionEnd) {
                const end = input.indexOf(this.#sectionEnd, at);
                const until = end < 0 ? Math.max(at, input.length - this.#sectionEnd.length + 1) : end;
                if (this.#sectionEnd === "]]>" && until > at) yield { kind: "text", text: input.slice(at, until) };
                at = end < 0 ? until : end + this.#sectionEnd.length;
                if (end < 0) break;
                this.#sectionEnd = "";
            } else if (input[at] !== "<") {
                at = textEnd(input, at);
                if (at === from) break;
                yield { kind: "text", text: withCharacters(input.slice(from, at)) };
            } else {
                const section = sections.find(([start]) => input.startsWith(start, at));
                if (section) {
                    this.#sectionEnd = section[1];
                    at += section[0].length;
                    continue;
                }
                documentType.lastIndex = tag.lastIndex = at;
                if (documentType.test(input)) at = documentType.lastIndex;
                else {
                    const found = tag.exec(input);
                    if (!found) break;
                    at = tag.lastIndex;
                    yield* tokensOf(found);
                }
            }
        }
        this.#rest = input.slice(at);
        if (this.#rest.length > maxTagLength) throw new MoveFailure("xml-damaged");
    }

    /** Throws if the input ends within a tag or a section. */
    end() {
        if (this.#sectionEnd || this.#rest.includes("<")) throw new MoveFailure("xml-damaged");
    }
}

/**
 * Returns the end of a text, before a reference that may continue in the next piece.
 * @param {string} input
 * @param {number} from
 */
function textEnd(input, from) {
    const end = input.indexOf("<", from);
    if (end >= 0) return end;
    const reference = input.lastIndexOf("&");
    const isOpen = reference >= from && input.length - reference < maxReferenceLength;
    return isOpen && !input.includes(";", reference) ? reference : input.length;
}

/** @param {RegExpExecArray} tag @returns {Generator<XMLToken, void>} */
function* tokensOf(tag) {
    const [, slash, name, written] = tag;
    if (slash) {
        yield { kind: "end", name };
        return;
    }
    /** @type {[string, string][]} */
    const pairs = [...written.matchAll(attributes)].map(([, key, value]) => [key, withCharacters(value.slice(1, -1))]);
    yield { kind: "start", name, attributes: new Map(pairs) };
    if (tag.at(-1) === "/") yield { kind: "end", name };
}
