/** The text inside of a block: CommonMark 0.29 §6 without HTML, with GitHub's strikethrough. */

import { collected, depthBetween, join, link, node, plain } from "./inline-list.js";
import { entity, label, normalized, spaces, target, title } from "./references.js";

/** @import { Inlines } from "./nodes.js" */
/** @import { Node } from "./inline-list.js" */
/** @import { Link } from "./references.js" */

/** @typedef {{ references: Map<string, Link>, bareLinks: boolean }} Reading what holds for the whole text */

/**
 * Marks that may open or close something: `**`.
 * @typedef {{ node: Node, mark: string, length: number, count: number, opens: boolean, closes: boolean,
 *     before: Run | null, after: Run | null }} Run
 */

/** @typedef {{ node: Node, isImage: boolean, place: number, runs: Run | null, before: Bracket | null,
 *     hasBracketAfter: boolean }} Bracket */

/**
 * Reads a text.
 * @param {string} text
 * @param {Reading} reading
 * @returns {Inlines}
 */
export function inlines(text, reading) {
    return new InlineReader(text, reading).all();
}

/** Emphasis in deeper emphasis stays text: nobody reads it, and whatever shows it would have to go as deep. */
const deepest = 64;

const marks = /[\\`*_~&<[\]!\n]/g;
const punctuation = /[\p{P}\p{S}]/u;
const space = /[\s\u{A0}]/u;

class InlineReader {
    #text;
    #reading;
    #place = 0;
    /** Ends of the list, no text themselves. */
    #first = node(null);
    #last = node(null);
    /** @type {Run | null} */
    #runs = null;
    /** @type {Bracket | null} */
    #brackets = null;
    /** Where the last link begins. */
    #linkStart = -1;
    /** How many backticks are known to stand nowhere any more. */
    #missing = new Set();

    /**
     * @param {string} text
     * @param {Reading} reading
     */
    constructor(text, reading) {
        this.#text = text;
        this.#reading = reading;
        join(this.#first, this.#last);
    }

    all() {
        while (this.#place < this.#text.length) this.#step();
        this.#close(null);
        return collected(this.#first, this.#last, this.#reading.bareLinks);
    }

    #step() {
        marks.lastIndex = this.#place;
        const next = marks.exec(this.#text)?.index ?? this.#text.length;
        if (next > this.#place) {
            this.#addText(this.#text.slice(this.#place, next));
            this.#place = next;
            return;
        }
        switch (this.#text[next]) {
            case "\\":
                return this.#escape();
            case "`":
                return this.#code();
            case "*":
            case "_":
            case "~":
                return this.#run();
            case "&": {
                const found = entity(this.#text, next);
                this.#place += found?.length ?? 1;
                return this.#addText(found?.text ?? "&");
            }
            case "<":
                return this.#pointed();
            case "\n":
                return this.#lineEnd();
            case "!":
                if (this.#text[next + 1] === "[") return this.#bracket(true);
                break;
            case "[":
                return this.#bracket(false);
            case "]":
                return this.#closeBracket();
        }
        this.#addText(this.#text[next]);
        this.#place += 1;
    }

    /** @param {string} text */
    #addText(text) {
        return this.#add(node(null, text));
    }

    /** @param {Node} added */
    #add(added) {
        join(/** @type {Node} */ (this.#last.before), added);
        join(added, this.#last);
    }

    #escape() {
        const next = this.#text[this.#place + 1] ?? "";
        if (next === "\n") {
            this.#place += 1;
            this.#lineEnd(true);
        } else if (/[!-/:-@[-`{-~]/.test(next)) {
            this.#addText(next);
            this.#place += 2;
        } else {
            this.#addText("\\");
            this.#place += 1;
        }
    }

    #lineEnd(isHard = false) {
        const before = /** @type {Node} */ (this.#last.before);
        const written = before.inline || before.run ? "" : before.text;
        if (written !== "") before.text = withoutSpaces(written);
        this.#add(node({ kind: "break", hard: isHard || written.endsWith("  ") }));
        const rest = /\n[ \t]*/y;
        rest.lastIndex = this.#place;
        rest.test(this.#text);
        this.#place = rest.lastIndex;
    }

    #code() {
        const ticks = /** @type {RegExpExecArray} */ (at(/`+/y, this.#text, this.#place))[0];
        const start = this.#place + ticks.length;
        this.#place = start;
        if (!this.#missing.has(ticks.length)) {
            const pattern = /`+/g;
            pattern.lastIndex = start;
            for (let found = pattern.exec(this.#text); found; found = pattern.exec(this.#text)) {
                if (found[0].length !== ticks.length) continue;
                const inside = this.#text.slice(start, found.index).replaceAll("\n", " ");
                const isPadded = /^ .*[^ ].* $/.test(inside) || /^ [^ ] $/.test(inside);
                this.#add(node({ kind: "code", text: isPadded ? inside.slice(1, -1) : inside }));
                this.#place = pattern.lastIndex;
                return;
            }
            this.#missing.add(ticks.length);
        }
        this.#addText(ticks);
    }

    /** An address between angle brackets. */
    #pointed() {
        const address = at(/<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>\p{Cc}]*)>/uy, this.#text, this.#place);
        const mail = address
            ? null
            : at(
                  /<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>/y,
                  this.#text,
                  this.#place,
              );
        const found = address ?? mail;
        if (!found) {
            this.#addText("<");
            this.#place += 1;
            return;
        }
        this.#add(node(link(address ? found[1] : `mailto:${found[1]}`, "", [{ kind: "text", text: found[1] }])));
        this.#place += found[0].length;
    }

    #run() {
        const mark = this.#text[this.#place];
        const text = /** @type {RegExpExecArray} */ (at(/\*+|_+|~+/y, this.#text, this.#place))[0];
        const before = previousCharacter(this.#text, this.#place);
        this.#place += text.length;
        const after = String.fromCodePoint(this.#text.codePointAt(this.#place) ?? 10);
        const isLeft =
            !space.test(after) && (!punctuation.test(after) || space.test(before) || punctuation.test(before));
        const isRight =
            !space.test(before) && (!punctuation.test(before) || space.test(after) || punctuation.test(after));
        const added = node(null, text);
        this.#add(added);
        if (mark === "~" && text.length > 2) return;
        /** @type {Run} */
        const run = {
            node: added,
            mark,
            length: text.length,
            count: text.length,
            opens: mark === "_" ? isLeft && (!isRight || punctuation.test(before)) : isLeft,
            closes: mark === "_" ? isRight && (!isLeft || punctuation.test(after)) : isRight,
            before: this.#runs,
            after: null,
        };
        added.run = run;
        if (this.#runs) this.#runs.after = run;
        this.#runs = run;
    }

    /** @param {boolean} isImage */
    #bracket(isImage) {
        const added = node(null, isImage ? "![" : "[");
        this.#place += added.text.length;
        this.#add(added);
        if (this.#brackets) this.#brackets.hasBracketAfter = true;
        this.#brackets = {
            node: added,
            isImage,
            place: this.#place,
            runs: this.#runs,
            before: this.#brackets,
            hasBracketAfter: false,
        };
    }

    #closeBracket() {
        const opening = this.#brackets;
        const closing = this.#place;
        this.#place += 1;
        // No link has another in it.
        const mayOpen = opening && (opening.isImage || opening.place > this.#linkStart);
        const found = mayOpen ? this.#linkBehind(opening, closing) : null;
        if (!opening || !found) {
            if (opening) this.#brackets = opening.before;
            this.#addText("]");
            return;
        }
        this.#place = found.end;
        this.#close(opening.runs);
        const content = collected(opening.node, this.#last, false);
        const made = opening.isImage
            ? node({ kind: "image", target: found.target, title: found.title, description: plain(content) })
            : node(link(found.target, found.title, content), "", 1 + depthBetween(opening.node, this.#last));
        join(/** @type {Node} */ (opening.node.before), made);
        join(made, this.#last);
        this.#brackets = opening.before;
        if (!opening.isImage) this.#linkStart = opening.place;
    }

    /**
     * @param {Bracket} opening
     * @param {number} closing the place of the bracket
     * @returns {(Link & { end: number }) | null}
     */
    #linkBehind(opening, closing) {
        const text = this.#text;
        if (text[closing + 1] === "(") {
            const goal = target(text, spaces(text, closing + 2));
            let end = goal ? spaces(text, goal.end) : 0;
            const called = goal && end > goal.end ? title(text, end) : null;
            if (called) end = spaces(text, called.end);
            if (goal && text[end] === ")") return { target: goal.text, title: called?.text ?? "", end: end + 1 };
        }
        const named = label(text, closing + 1);
        let end = closing + 1;
        let name = named?.text ?? "";
        if (named) end = named.end;
        if (name === "" && (named || !opening.hasBracketAfter)) name = text.slice(opening.place, closing);
        else if (name === "") return null;
        const found = name.length > 999 ? undefined : this.#reading.references.get(normalized(name));
        return found ? { ...found, end } : null;
    }

    /**
     * Makes emphasis of runs (CommonMark, appendix "process emphasis").
     * @param {Run | null} bottom the last run that stays as it is
     */
    #close(bottom) {
        /** @type {Map<string, Run | null>} below which no opener is, by what closes */
        const bottoms = new Map();
        let closer = bottom ? bottom.after : firstOf(this.#runs);
        while (closer) {
            if (!closer.closes) {
                closer = closer.after;
                continue;
            }
            const kind = `${closer.mark}${closer.opens}${closer.length % 3}${closer.mark === "~" ? closer.length : ""}`;
            const lowest = bottoms.has(kind) ? bottoms.get(kind) : bottom;
            let opener = closer.before;
            while (opener && opener !== bottom && opener !== lowest && !fits(opener, closer)) opener = opener.before;
            if (!opener || opener === bottom || opener === lowest) {
                bottoms.set(kind, closer.before);
                const after = closer.after;
                if (!closer.opens) this.#remove(closer);
                closer = after;
                continue;
            }
            closer = this.#wrap(opener, closer);
        }
        while (this.#runs && this.#runs !== bottom) this.#remove(this.#runs);
    }

    /**
     * Puts what is between two runs into an emphasis.
     * @param {Run} opener
     * @param {Run} closer
     * @returns {Run | null} where to go on
     */
    #wrap(opener, closer) {
        const used = closer.mark === "~" ? closer.count : closer.count >= 2 && opener.count >= 2 ? 2 : 1;
        while (closer.before && closer.before !== opener) this.#remove(closer.before);
        const depth = 1 + depthBetween(opener.node, closer.node);
        if (depth > deepest) {
            this.#remove(opener);
            return closer;
        }
        const kind = closer.mark === "~" ? "strike" : used === 2 ? "strong" : "emphasis";
        const made = node({ kind, content: collected(opener.node, closer.node, false) }, "", depth);
        join(opener.node, made);
        join(made, closer.node);
        for (const run of [opener, closer]) {
            run.count -= used;
            run.node.text = run.mark.repeat(run.count);
        }
        if (opener.count === 0) this.#remove(opener);
        if (closer.count > 0) return closer;
        const after = closer.after;
        this.#remove(closer);
        return after;
    }

    /** @param {Run} run from now on text */
    #remove(run) {
        run.node.run = null;
        if (run.before) run.before.after = run.after;
        if (run.after) run.after.before = run.before;
        else this.#runs = run.before;
    }
}

/**
 * @param {Run} opener
 * @param {Run} closer
 */
function fits(opener, closer) {
    if (!opener.opens || opener.mark !== closer.mark) return false;
    if (closer.mark === "~") return opener.count === closer.count;
    const isOdd = (closer.opens || opener.closes) && (opener.length + closer.length) % 3 === 0;
    return !isOdd || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

/** @param {Run | null} run */
function firstOf(run) {
    let first = run;
    while (first?.before) first = first.before;
    return first;
}

/**
 * A text without the spaces that end it. (A pattern would be slow for many.)
 * @param {string} text
 */
function withoutSpaces(text) {
    let end = text.length;
    while (end > 0 && text[end - 1] === " ") end -= 1;
    return text.slice(0, end);
}

/**
 * @param {string} text
 * @param {number} place
 */
function previousCharacter(text, place) {
    if (place === 0) return "\n";
    const unit = text.charCodeAt(place - 1);
    return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(place - 2, place) : text[place - 1];
}

/**
 * @param {RegExp} pattern sticky
 * @param {string} text
 * @param {number} place
 */
function at(pattern, text, place) {
    pattern.lastIndex = place;
    return pattern.exec(text);
}
