/** Elements made without HTML. A page consists of nodes and texts only, so no content can become markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | (Child | Child[])[]} Children */

const svgNamespace = "http://www.w3.org/2000/svg";
/** Attributes that are set as properties, because the attribute is only the initial value. */
const properties = new Set(["value", "checked", "disabled", "indeterminate", "readOnly", "hidden", "selected", "open"]);

/**
 * Creates an element: `h("a", { href: "#/", class: "brand", onclick }, "Almanac")`.
 *
 * `on…` members are event listeners. null and false omit an attribute; true sets it without a value.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (properties.has(name)) /** @type {any} */ (element)[name] = value;
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value != null) element.setAttribute(name, String(value));
    }
    append(element, children);
    return element;
}

/**
 * Appends children one by one, because a call takes only so many arguments.
 * @param {Element} element
 * @param {Children[]} children
 */
function append(element, children) {
    for (const child of nodes(children)) element.append(child);
}

/**
 * Flattens children and drops null, undefined and false.
 * @param {Children[]} children
 * @returns {(Node | string)[]}
 */
export function nodes(children) {
    const flat = /** @type {Child[]} */ (children.flat(Number.POSITIVE_INFINITY));
    return flat
        .filter((child) => child !== null && child !== undefined && child !== false)
        .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Children} children
 */
export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
}

/** Path data of the icons on a grid of 16 by 16. */
export const icons = {
    add: "M8 3v10M3 8h10",
    alert: "M8 2 1.6 13.4h12.8zM8 6.4v3.2M8 11.6v.1",
    back: "M9.5 3.5 5 8l4.5 4.5",
    check: "m3 8.5 3.2 3.2L13 4.8",
    clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.3",
    close: "m4 4 8 8M12 4l-8 8",
    copy: "M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3",
    down: "m4 6 4 4 4-4",
    key: "M10.2 8.7a3.4 3.4 0 1 0-2.9-2.9L2.5 10.6v2.9h2.9v-1.7h1.7v-1.7h1.7zM11.3 4.6v.1",
    more: "M3 8h1M7.5 8h1M12 8h1",
    person: "M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8M3 13.6c.6-2.4 2.6-3.6 5-3.6s4.4 1.2 5 3.6",
    remove: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
    right: "m6 4 4 4-4 4",
    search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.4 3.4",
    star: "m8 1.8 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z",
    terminal: "m3 5 3 3-3 3M8 11.5h5",
    tree: "M3 2.5v9.5h4M3 6.5h4M9 6.5h4M9 12h4",
    undo: "M3 6.5h7a3.2 3.2 0 0 1 0 6.5H6M5.6 3.5 2.8 6.5l2.8 3",
};

/**
 * Creates an element of SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function svgElement(tag, attributes, ...children) {
    const element = document.createElementNS(svgNamespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}

/**
 * Creates an icon. Screen readers skip it, so the control needs its own name.
 * @param {string} strokes path data on a grid of 16 by 16
 */
export const svgIcon = (strokes) =>
    svgElement(
        "svg",
        { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
        svgElement("path", { d: strokes }),
    );

/** @param {keyof typeof icons} name */
export const icon = (name) => svgIcon(icons[name]);

/** Creates the mark of Almanac, which is the page's icon. */
export function brandMark() {
    const { href } = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
    return h("img", { class: "mark", src: href, alt: "" });
}

/**
 * @param {Children} label
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {string} [kind] CSS classes: primary, danger, quiet
 * @param {keyof typeof icons} [picture]
 */
export function button(label, onclick, kind = "", picture) {
    return h("button", { type: "button", class: kind, onclick }, picture && icon(picture), h("span", {}, label));
}

/**
 * Creates a button without text.
 * @param {string} label the name for screen readers
 * @param {Child} sign an icon, or one character
 * @param {() => void} [onclick]
 * @param {Record<string, any>} [more] other attributes
 */
export function squareButton(label, sign, onclick, more) {
    return h("button", { type: "button", class: "quiet square", "aria-label": label, onclick, ...more }, sign);
}

/**
 * Runs a function while the page is idle. Safari has no `requestIdleCallback`.
 * @param {() => unknown} run
 */
export const whenIdle = (run) => (globalThis.requestIdleCallback ?? setTimeout)(run);

/** C0 and C1 controls except tab and line feed, and bidirectional embeddings, overrides and isolates. */
export const invisible =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Creates the visible mark of an invisible character. @param {number} code */
export function invisibleMark(code) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    const shown = code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : name;
    return h("span", { class: "unseen", title: name }, shown);
}

/** Returns the parts of a text, with marks for its invisible characters. @param {string} text */
export function visible(text) {
    /** @type {(string | Node)[]} */
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(invisible)) {
        parts.push(text.slice(end, match.index), invisibleMark(match[0].charCodeAt(0)));
        end = match.index + 1;
    }
    return [...parts, text.slice(end)];
}

/**
 * Shows a text written by a user: isolated in its own direction, with its invisible characters made visible.
 * @param {string} text
 */
export const userText = (text) => h("bdi", { dir: "auto" }, visible(text));
