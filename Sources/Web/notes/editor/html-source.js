/**
 * Parses HTML of the clipboard as an inert document: nothing in it runs, is fetched or is reported as a violation of the
 * page's policy.
 *
 * Parsers report inline styles and handlers even if they drop them. So the source is reduced to the elements and
 * attributes that have a meaning in Markdown before the browser parses it, and styles are renamed to `data-style`.
 */

const listed = (/** @type {string} */ names) => new Set(names.split(" "));

const elements = listed(
    "html head body a b strong i em cite var s del strike code kbd samp tt u span font div p h1 h2 h3 h4 h5 h6 ul ol li " +
        "dl dt dd blockquote pre hr br table caption thead tbody tfoot tr th td img input section article main header " +
        "footer aside nav figure figcaption details summary form fieldset address",
);
/** Elements whose content is no text of the document. Unlike that of unknown elements, it is dropped. */
const hidden = listed("button select datalist svg math object canvas video audio template");
/** Elements whose content is no HTML. It ends only at their end tag. */
const raw = listed("script style title textarea iframe noembed noframes noscript xmp");
const attributes = listed(
    "data-style class href src alt type checked start colspan align width height lang role aria-level aria-checked " +
        "aria-roledescription data-checked data-language rowspan hidden",
);

// HTML may be long and hostile: each of these patterns matches in linear time.
const tagName = /[^\s/>]*/y;
const spaces = /[\s/]*/y;
const attribute = /([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y;

/** @type {{ createHTML(html: string): any } | undefined} */
let policy;

/** @param {string} html @returns {Document} */
function parseInert(html) {
    const browser = /** @type {any} */ (globalThis);
    if (browser.Document.parseHTML) {
        return browser.Document.parseHTML(html, {
            sanitizer: { elements: [...elements], attributes: [...attributes], comments: false },
        });
    }
    // Older browsers have no such function. Those with trusted types accept only the value of a policy.
    policy ??= browser.trustedTypes?.createPolicy("pasted", { createHTML: (/** @type {string} */ text) => text });
    return new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
}

/**
 * Parses HTML.
 * @param {string} html
 * @returns {{ body: HTMLElement, base: string | undefined }} `base`: the address that links are relative to
 */
export function parseClipboard(html) {
    const { source, base } = reduced(html);
    return { body: parseInert(source).body, base };
}

/**
 * Returns HTML with only the listed elements and attributes.
 * @param {string} html
 */
export function reduced(html) {
    // The header of Windows' clipboard has the address of the page.
    const header = /^Version:[\d.]+\s[^<]*/.exec(html)?.[0] ?? "";
    let base = /^SourceURL:(\S+)/m.exec(header)?.[1];
    let source = "";
    let at = header.length;
    while (at < html.length) {
        const start = html.indexOf("<", at);
        if (start < 0) break;
        source += html.slice(at, start);
        at = start + 1;
        const sign = html[at];
        if (sign === "!" || sign === "?") at = endOfComment(html, start);
        else if (/[a-z]/i.test(sign === "/" ? (html[at + 1] ?? "") : (sign ?? ""))) {
            const tag = readTag(html, sign === "/" ? at + 1 : at);
            at = tag.end;
            if (!tag.isClosed) break;
            if (sign === "/") source += elements.has(tag.name) || hidden.has(tag.name) ? `</${tag.name}>` : "";
            else {
                if (tag.name === "base") base ??= tag.values.get("href");
                source += openingTag(tag);
                if (raw.has(tag.name)) at = endOfRaw(html, at, tag.name);
            }
        } else source += "&lt;";
    }
    return { source: at < html.length ? source + html.slice(at) : source, base };
}

/** @param {string} html @param {number} start */
function endOfComment(html, start) {
    const isComment = html.startsWith("<!--", start);
    if (isComment && /^-?>/.test(html.slice(start + 4, start + 6))) return html.indexOf(">", start) + 1;
    const end = html.indexOf(isComment ? "-->" : ">", start + 2);
    return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** @param {string} html @param {number} at @param {string} name */
function endOfRaw(html, at, name) {
    const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
    end.lastIndex = at;
    return end.exec(html)?.index ?? html.length;
}

/**
 * Reads a tag from its name on.
 * @param {string} html
 * @param {number} at
 */
function readTag(html, at) {
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
    return { name, values, end: at + 1, isClosed: at < html.length };
}

/** @param {{ name: string, values: Map<string, string> }} tag */
function openingTag({ name, values }) {
    if (hidden.has(name)) return `<${name}>`;
    if (!elements.has(name)) return "";
    const parts = [...values].map(([key, value]) => [key === "style" ? "data-style" : key, value]);
    const kept = parts.filter(([key]) => attributes.has(key));
    return `<${name}${kept.map(([key, value]) => ` ${key}="${value.replaceAll('"', "&quot;")}"`).join("")}>`;
}
