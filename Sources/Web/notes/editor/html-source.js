/**
 * Reduces HTML of the clipboard to the elements and attributes that have a meaning in Markdown, before the browser parses
 * it. Parsers report inline styles and handlers as violations of the page's policy even if they drop them, so styles are
 * renamed to `data-style`.
 */

const listed = (/** @type {string} */ names) => new Set(names.split(" "));

const inlineElements = listed("a b strong i em cite var s del strike code kbd samp tt u span font");
const emptyElements = listed("br hr img input");
const tableElements = listed("table caption thead tbody tfoot tr th td");
const elements = listed(
    `${[...inlineElements, ...emptyElements, ...tableElements].join(" ")} div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd ` +
        "blockquote pre section article main header footer aside nav figure figcaption details summary form fieldset " +
        "address",
);
/** Elements whose content is dropped, because it is no text of the document. */
const hidden = listed("button select datalist svg math object canvas video audio template");
/** Elements whose content is dropped, and ends with the document if they have no end tag. */
const raw = listed("script style title textarea iframe noembed noframes noscript xmp");
const attributes = listed(
    "class href src alt type checked start colspan align width height lang role aria-level aria-checked " +
        "data-checked data-language rowspan hidden",
);

/** The elements and attributes of a reduced source, as the browser's sanitizer takes them. */
export const allowed = {
    elements: ["html", "head", "body", ...elements],
    attributes: ["data-style", ...attributes],
};

/** The properties of styles that have a meaning in Markdown. */
const properties = "font-weight|font-style|text-decoration|text-align|white-space|display|visibility|mso-hide|mso-list";
const declarations = new RegExp(String.raw`(?:^|;)\s*(?:${properties})[\w-]*\s*:[^;]*`, "gi");

/** The elements that an element may stand in, if others end before it. @type {Record<string, Set<string>>} */
const parents = {
    caption: listed("table"),
    thead: listed("table"),
    tbody: listed("table"),
    tfoot: listed("table"),
    tr: listed("table thead tbody tfoot"),
    td: listed("table thead tbody tfoot tr"),
    th: listed("table thead tbody tfoot tr"),
};
/** The elements that end before an element of their kind, and the elements that such an end never leaves. */
const siblings = /** @type {const} */ ([
    [listed("li"), listed("ul ol td th caption table")],
    [listed("dt dd"), listed("dl td th caption table")],
    [listed("a"), listed("td th caption table")],
]);
const cells = listed("td th caption table");

/** The depth beyond which elements are dropped: browsers need minutes for a document of elements without ends. */
const maxDepth = 200;
/** The length of a reduced source, in UTF-16 units. Longer ones fit in no note, and take seconds to convert. */
const maxLength = 1 << 21;

// HTML may be long and hostile: each of these patterns matches in linear time.
const simpleTag = /<(\/?)([a-z][a-z0-9:-]*)>/iy;
const tagName = /[^\s/>]*/y;
const spaces = /[\s/]*/y;
const attribute = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y;

/**
 * Returns HTML with only the listed elements and attributes, in which every element has an end. Returns null if it is too
 * long.
 * @param {string} html
 * @returns {{ source: string, base: string | undefined } | null}
 */
export function reduced(html) {
    // The header of Windows' clipboard has the address of the page.
    const header = /^Version:[\d.]+\s+StartHTML:[^<]*/.exec(html)?.[0] ?? "";
    let base = /^SourceURL:(\S+)/m.exec(header)?.[1];
    const source = new Source();
    let at = header.length;
    while (at < html.length) {
        if (source.length > maxLength) return null;
        const start = html.indexOf("<", at);
        if (start < 0) break;
        source.add(html.slice(at, start));
        const tag = tagAt(html, start);
        if (!tag) {
            const isComment = html[start + 1] === "!" || html[start + 1] === "?";
            if (!isComment) source.add("&lt;");
            at = isComment ? endOfComment(html, start) : start + 1;
            continue;
        }
        at = tag.end;
        if (tag.name === "base") base ??= tag.values.get("href");
        if (tag.isEnd) source.close(tag.name);
        else if (raw.has(tag.name) || hidden.has(tag.name)) at = source.endOfContent(html, at, tag.name);
        else if (elements.has(tag.name)) source.open(tag);
    }
    source.add(html.slice(at));
    const text = source.finish();
    return text.length > maxLength ? null : { source: text, base };
}

/** The reduced source, with the elements that are open at its end. */
class Source {
    #text = "";
    /** @type {string[]} */
    #open = [];
    /** The number of open elements of each name. @type {Map<string, number>} */
    #counts = new Map();
    /** The elements that have no end tag in the rest of the source. */
    #endless = /** @type {Set<string>} */ (new Set());

    get length() {
        return this.#text.length;
    }

    /** @param {string} text */
    add(text) {
        this.#text += text;
    }

    /** @param {Tag} tag */
    open({ name, values }) {
        const stack = this.#open;
        if (Object.hasOwn(parents, name)) {
            const table = stack.lastIndexOf("table");
            if (table < 0) return;
            while (!parents[name].has(stack[stack.length - 1])) this.#closeLast();
        } else {
            if (!inlineElements.has(name) && !emptyElements.has(name)) this.#closeUpTo(paragraph, cells);
            for (const [kind, limits] of siblings) if (kind.has(name)) this.#closeUpTo(kind, limits);
        }
        const isEmpty = emptyElements.has(name);
        if (!isEmpty && stack.length >= maxDepth) return;
        let tag = `<${name}`;
        for (const [key, value] of values) {
            const isStyle = key === "style";
            if (!isStyle && !attributes.has(key)) continue;
            const kept = isStyle ? (value.match(declarations) ?? []).join("") : value;
            if (kept !== "" || !isStyle) tag += ` ${isStyle ? "data-style" : key}="${kept.replaceAll('"', "&quot;")}"`;
        }
        this.#text += `${tag}>`;
        if (isEmpty) return;
        stack.push(name);
        this.#count(name, 1);
    }

    /** @param {string} name */
    close(name) {
        if (name === "br") this.#text += "<br>";
        else if (elements.has(name)) this.#closeUpTo(new Set([name]), tableElements.has(name) ? noElements : cells);
    }

    /** Ends the innermost element of some names and those within, unless a limit is between. */
    #closeUpTo(/** @type {Set<string>} */ names, /** @type {Set<string>} */ limits) {
        if (![...names].some((name) => this.#counts.get(name))) return;
        for (let at = this.#open.length - 1; at >= 0; at -= 1) {
            if (names.has(this.#open[at])) {
                while (this.#open.length > at) this.#closeLast();
                return;
            }
            if (limits.has(this.#open[at])) return;
        }
    }

    #closeLast() {
        const name = this.#open.pop() ?? "";
        this.#count(name, -1);
        this.#text += `</${name}>`;
    }

    /** @param {string} name @param {1 | -1} change */
    #count(name, change) {
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + change);
    }

    /** Returns the end of content that is dropped. @param {string} html @param {number} at @param {string} name */
    endOfContent(html, at, name) {
        if (this.#endless.has(name)) return at;
        const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
        end.lastIndex = at;
        const found = end.exec(html);
        if (found) return found.index;
        this.#endless.add(name);
        return raw.has(name) ? html.length : at;
    }

    finish() {
        while (this.#open.length > 0) this.#closeLast();
        return this.#text;
    }
}

const paragraph = listed("p");
/** @type {Set<string>} */
const noElements = new Set();

/** @param {string} html @param {number} start the offset of the comment */
function endOfComment(html, start) {
    const isComment = html.startsWith("<!--", start);
    if (isComment && /^-?>/.test(html.slice(start + 4, start + 6))) return html.indexOf(">", start) + 1;
    const end = html.indexOf(isComment ? "-->" : ">", start + 2);
    return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** @typedef {{ name: string, values: Map<string, string>, isEnd: boolean, end: number }} Tag */
/** @type {Map<string, string>} */
const noValues = new Map();

/** Reads the tag at an offset. @param {string} html @param {number} start @returns {Tag | null} */
function tagAt(html, start) {
    simpleTag.lastIndex = start;
    const simple = simpleTag.exec(html);
    if (simple) {
        const [whole, slash, name] = simple;
        return { name: name.toLowerCase(), values: noValues, isEnd: slash !== "", end: start + whole.length };
    }
    const isEnd = html[start + 1] === "/";
    let at = start + (isEnd ? 2 : 1);
    if (!/[a-z]/i.test(html[at] ?? "")) return null;
    const take = (/** @type {RegExp} */ pattern) => {
        pattern.lastIndex = at;
        const found = pattern.exec(html);
        at += found?.[0].length ?? 0;
        return found;
    };
    const name = (take(tagName)?.[0] ?? "").toLowerCase();
    /** @type {Map<string, string>} */
    const values = new Map();
    for (take(spaces); at < html.length && html[at] !== ">"; take(spaces)) {
        const [, said = "", ...given] = take(attribute) ?? [];
        const key = said.toLowerCase();
        if (!values.has(key)) values.set(key, given.find((value) => value !== undefined) ?? "");
    }
    // A tag without an end is dropped, as browsers do.
    return { name: at < html.length ? name : "", values, isEnd, end: at + 1 };
}
