/** The first pass over a Markdown text: lines become blocks, whose own texts are read later. */

import { draft, last, withoutMarks } from "./open-block.js";
import { readDefinitions } from "./references.js";
import { alignments, cells } from "./tables.js";

/** @import { Reading } from "./inlines.js" */
/** @import { Draft, Line } from "./open-block.js" */

/** Deeper quotes and lists stay text: nobody writes them, and whatever shows them would have to go as deep. */
const deepest = 64;

const containers = new Set(["document", "quote", "list", "item"]);

/** Takes lines, and makes drafts of blocks of them. */
export class BlockReader {
    /** @type {Reading["references"]} */
    references = new Map();
    #document = draft("document", null);
    /** The block that the next line would go on with. */
    #tip = this.#document;

    // The line that is being read, and how far.
    #text = "";
    #offset = 0;
    #number = 0;
    #position = 0;
    /** The same in columns, as tabs count, which stop at every fourth. */
    #column = 0;
    /** Columns that are left of a tab of which some were taken. */
    #tabRest = 0;
    /** The first that is no space: its position, its column less this one's, and whether the line has none. */
    #next = 0;
    #indent = 0;
    #isBlank = false;

    /** @param {Line} line */
    take(line) {
        this.#text = line.text;
        this.#offset = line.offset;
        this.#number += 1;
        this.#position = this.#column = this.#tabRest = 0;
        let block = this.#document;
        for (let part = last(block); part?.isOpen; part = last(block)) {
            this.#look();
            const goesOn = this.#goesOn(part);
            if (goesOn === "ended") return;
            if (!goesOn) break;
            block = part;
        }
        const isMatched = block === this.#tip;
        const matched = block;
        if (block.kind !== "fenced" && block.kind !== "indented") block = this.#starts(block, matched);
        this.#look();
        if (!isMatched && block === matched && !this.#isBlank && this.#tip.kind === "paragraph") {
            // A paragraph goes on although its containers don't: "lazy continuation".
            this.#add(this.#tip);
            return;
        }
        if (block === matched) this.#close(matched);
        this.#addText(block);
    }

    end() {
        this.#close(null);
        return this.#document;
    }

    /** @param {Draft} block the last that the line belongs to */
    #addText(block) {
        const before = last(block);
        if (this.#isBlank && before) before.endsBlank = true;
        const isBlank =
            this.#isBlank && block.kind !== "quote" && block.kind !== "fenced" && block.began !== this.#number;
        for (let each = /** @type {Draft | null} */ (block); each; each = each.parent) each.endsBlank = isBlank;
        if (block.kind !== "item" && block.began === this.#number) return;
        if (block.kind === "fenced" || block.kind === "indented") this.#add(block);
        else if (this.#isBlank) return;
        else if (block.kind === "paragraph" || block.kind === "table") {
            this.#skip();
            this.#add(block);
        } else if (containers.has(block.kind)) {
            this.#skip();
            this.#add(this.#open("paragraph"));
        }
    }

    /** @param {Draft} block */
    #add(block) {
        this.#look();
        const isCode = block.kind === "fenced" || block.kind === "indented";
        if (!isCode) this.#skip();
        // What is left of a tab is spaces.
        const text = " ".repeat(this.#tabRest) + this.#text.slice(this.#position + (this.#tabRest > 0 ? 1 : 0));
        block.lines.push({ text, offset: this.#offset + this.#position });
    }

    /** Finds the first that is no space. */
    #look() {
        let [position, column] = [this.#position, this.#column];
        if (this.#tabRest > 0) {
            position += 1;
            column += this.#tabRest;
        }
        for (; position < this.#text.length; position += 1) {
            if (this.#text[position] === " ") column += 1;
            else if (this.#text[position] === "\t") column += 4 - (column % 4);
            else break;
        }
        this.#next = position;
        this.#indent = column - this.#column;
        this.#isBlank = position === this.#text.length;
    }

    #skip() {
        this.#look();
        this.#position = this.#next;
        this.#column += this.#indent;
        this.#tabRest = 0;
        this.#indent = 0;
    }

    /** @param {number} columns */
    #advance(columns) {
        for (let left = columns; left > 0 && this.#position < this.#text.length; ) {
            if (this.#text[this.#position] !== "\t") {
                this.#position += 1;
                this.#column += 1;
                left -= 1;
                continue;
            }
            const width = this.#tabRest > 0 ? this.#tabRest : 4 - (this.#column % 4);
            const taken = Math.min(width, left);
            this.#column += taken;
            left -= taken;
            this.#tabRest = width - taken;
            if (this.#tabRest === 0) this.#position += 1;
        }
        this.#look();
    }

    /** A space, or a column of a tab, after the mark of a container. */
    #advanceOneSpace() {
        if (this.#tabRest > 0 || this.#text[this.#position] === " " || this.#text[this.#position] === "\t")
            this.#advance(1);
    }

    get #rest() {
        return this.#text.slice(this.#next);
    }

    /**
     * Whether a line belongs to an open block, whose mark it then takes.
     * @param {Draft} block
     * @returns {boolean | "ended"}
     */
    #goesOn(block) {
        switch (block.kind) {
            case "list":
                return true;
            case "quote":
                if (this.#indent > 3 || this.#text[this.#next] !== ">") return false;
                this.#skip();
                this.#position += 1;
                this.#column += 1;
                this.#advanceOneSpace();
                return true;
            case "item":
                if (this.#isBlank) {
                    if (block.parts.length === 0) return false;
                    this.#skip();
                    return true;
                }
                if (this.#indent < block.width) return false;
                this.#advance(block.width);
                return true;
            case "indented":
                if (this.#indent >= 4) this.#advance(4);
                else if (this.#isBlank) this.#skip();
                else return false;
                return true;
            case "fenced": {
                const closing = this.#indent <= 3 && /^(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(this.#rest)?.[0];
                if (closing && closing[0] === block.marker && closing.length >= block.level) {
                    // Whatever is open inside of a fence is it itself.
                    block.isOpen = false;
                    this.#tip = /** @type {Draft} */ (block.parent);
                    return "ended";
                }
                this.#advance(Math.min(block.width, this.#indent));
                return true;
            }
            case "paragraph":
                return !this.#isBlank;
            case "table":
                return !this.#isBlank;
            default:
                return false;
        }
    }

    /**
     * Opens the blocks that begin on a line.
     * @param {Draft} block the last that the line belongs to
     * @param {Draft} matched
     * @returns {Draft} the last that was opened, or the one given
     */
    #starts(block, matched) {
        for (let at = block; ; ) {
            this.#look();
            const opened = this.#isBlank || at.depth >= deepest ? null : this.#start(at, matched);
            if (!opened) return at;
            at = opened;
            if (!containers.has(at.kind)) return at;
        }
    }

    /**
     * @param {Draft} block
     * @param {Draft} matched
     * @returns {Draft | null}
     */
    #start(block, matched) {
        // Only a paragraph whose line this is can be one that the line is about.
        const paragraph = block.kind === "paragraph" ? block : null;
        if (this.#indent > 3) {
            if (this.#tip.kind === "paragraph" || block.kind === "table") return null;
            this.#advance(4);
            this.#close(matched, block);
            return this.#open("indented");
        }
        const rest = this.#rest;
        const begin = () => {
            this.#close(matched, block);
            this.#skip();
        };
        if (rest[0] === ">") {
            begin();
            this.#position += 1;
            this.#column += 1;
            this.#advanceOneSpace();
            return this.#open("quote");
        }
        const heading = /^(#{1,6})(?:[ \t]+|$)/.exec(rest);
        if (heading) {
            begin();
            const made = this.#open("heading", { level: heading[1].length });
            made.lines.push({ text: withoutMarks(rest.slice(heading[0].length)), offset: 0 });
            return this.#whole(made);
        }
        const fence = /^(?:`{3,}|~{3,})/.exec(rest);
        if (fence && (fence[0][0] === "~" || !rest.includes("`", fence[0].length))) {
            const width = this.#indent;
            begin();
            const made = this.#open("fenced", { marker: fence[0][0], level: fence[0].length, width });
            made.info = rest.slice(fence[0].length).trim();
            return this.#whole(made);
        }
        const table = paragraph && this.#table(paragraph, rest);
        if (table) return table;
        const underline = paragraph && /^(?:=+|-+)[ \t]*$/.exec(rest);
        if (underline && paragraph) {
            this.#define(paragraph);
            if (paragraph.lines.length > 0) {
                paragraph.kind = "heading";
                paragraph.level = underline[0][0] === "=" ? 1 : 2;
                return this.#whole(paragraph);
            }
        }
        if (/^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(rest)) {
            begin();
            return this.#whole(this.#open("rule"));
        }
        return this.#item(block, matched, paragraph);
    }

    /**
     * Takes all of a line for a block that begins there.
     * @param {Draft} block
     */
    #whole(block) {
        this.#position = this.#text.length;
        this.#column = 0;
        this.#tabRest = 0;
        block.began = this.#number;
        return block;
    }

    /**
     * @param {Draft} block
     * @param {Draft} matched
     * @param {Draft | null} paragraph that the line would end
     * @returns {Draft | null}
     */
    #item(block, matched, paragraph) {
        const rest = this.#rest;
        const found = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest);
        if (!found) return null;
        const [mark, bullet, digits, delimiter] = found;
        const isEmpty = /^[ \t]*$/.test(rest.slice(mark.length));
        // An empty entry, or one with another number than 1, is rather the paragraph's text.
        if (paragraph && (isEmpty || (digits !== undefined && Number(digits) !== 1))) return null;
        const indent = this.#indent;
        this.#close(matched, block);
        this.#skip();
        this.#position += mark.length;
        this.#column += mark.length;
        this.#look();
        let width = this.#indent;
        if (isEmpty || width > 4) {
            width = 1;
            this.#advanceOneSpace();
        } else {
            this.#advance(width);
        }
        const marker = bullet ?? delimiter;
        if (block.kind !== "list" || block.marker !== marker) {
            if (block.kind === "list") this.#close(block.parent);
            this.#open("list", { marker, start: digits === undefined ? null : Number(digits) });
        }
        return this.#open("item", { width: indent + mark.length + width, began: this.#number });
    }

    /**
     * The line under a table's head makes one of the paragraph's last line.
     * @param {Draft} paragraph
     * @param {string} rest
     * @returns {Draft | null}
     */
    #table(paragraph, rest) {
        const columns = alignments(rest);
        const head = paragraph.lines[paragraph.lines.length - 1];
        if (!columns || cells(head.text).length !== columns.length) return null;
        paragraph.lines.pop();
        const parent = /** @type {Draft} */ (paragraph.parent);
        this.#tip = parent;
        if (paragraph.lines.length === 0) parent.parts.pop();
        else this.#finish(paragraph);
        const table = this.#open("table", { columns });
        table.lines.push(head);
        return this.#whole(table);
    }

    /**
     * @param {Draft["kind"]} kind
     * @param {Partial<Draft>} [members]
     */
    #open(kind, members = {}) {
        let parent = this.#tip;
        while (!containers.has(parent.kind) || (parent.kind === "list" && kind !== "item")) {
            this.#finish(parent);
            parent = /** @type {Draft} */ (parent.parent);
        }
        const block = Object.assign(draft(kind, parent), members);
        parent.parts.push(block);
        this.#tip = block;
        return block;
    }

    /**
     * Ends the open blocks that a line doesn't belong to: all behind the given ones.
     * @param {Draft | null} block
     * @param {Draft} [opened] opened on this line, and so not one of these
     */
    #close(block, opened) {
        if (opened && opened !== block) return;
        while (this.#tip !== block) {
            this.#finish(this.#tip);
            if (!this.#tip.parent) return;
            this.#tip = this.#tip.parent;
        }
    }

    /** @param {Draft} block */
    #finish(block) {
        if (!block.isOpen) return;
        block.isOpen = false;
        if (block.kind === "paragraph") this.#define(block);
        if (block.kind === "indented") {
            while (block.lines.length > 0 && /^[ \t]*$/.test(block.lines[block.lines.length - 1].text))
                block.lines.pop();
        }
    }

    /**
     * Takes the link reference definitions from the beginning of a paragraph.
     * @param {Draft} paragraph
     */
    #define(paragraph) {
        if (!paragraph.lines[0]?.text.startsWith("[")) return;
        const text = paragraph.lines.map((line) => line.text).join("\n");
        const end = readDefinitions(text, this.references);
        const taken = end === 0 ? 0 : text.slice(0, end).split("\n").length - (end < text.length ? 1 : 0);
        paragraph.lines.splice(0, taken);
    }
}
