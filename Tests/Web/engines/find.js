/** Finds visible elements by role and name, also in open shadow trees. */

/** @typedef {{ css?: string, role?: string, name?: string, exact?: boolean, text?: string }} Step */

const selectors = /** @type {Record<string, string>} */ ({
    button: "button, summary, input[type=submit]",
    link: "a[href]",
    textbox: "textarea, input:not([type]), input[type=text], input[type=password]",
    searchbox: "input[type=search]",
    checkbox: "input[type=checkbox]",
    combobox: "select",
    heading: "h1, h2, h3, h4",
    dialog: "dialog[open]",
    row: "tr",
    navigation: "nav",
    main: "main",
});

/** @param {string | null | undefined} text */
const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

/**
 * Yields the elements of a tree and of the open shadow trees in it.
 * @param {ParentNode} tree
 * @returns {Generator<HTMLElement>}
 */
function* elementsOf(tree) {
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (tree.querySelectorAll("*"))) {
        yield one;
        if (one.shadowRoot) yield* elementsOf(one.shadowRoot);
    }
}

/** @param {HTMLElement} one */
function nameOf(one) {
    const root = /** @type {Document | ShadowRoot} */ (one.getRootNode());
    const ids = one.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const labels = /** @type {HTMLInputElement} */ (one).labels ?? [];
    return (
        plain(ids.map((id) => root.getElementById(id)?.textContent).join(" ")) ||
        plain(one.getAttribute("aria-label")) ||
        plain([...labels].map((label) => label.textContent).join(" ")) ||
        plain(one.textContent) ||
        plain(one.title)
    );
}

/** @param {HTMLElement} one @param {Step} step */
function matches(one, { css, role, name, exact, text }) {
    if (css && !one.matches(css)) return false;
    if (role && (one.getAttribute("role") ?? (one.matches(selectors[role] || "no-element") && role)) !== role)
        return false;
    if (name !== undefined) {
        const found = nameOf(one);
        if (exact ? found !== name : !found.toLowerCase().includes(name.toLowerCase())) return false;
    }
    return text === undefined || plain(one.textContent).includes(text);
}

/**
 * Returns the visible elements that the last step finds within those of the steps before.
 * @param {Step[]} steps
 */
export function find(steps) {
    /** @type {ParentNode[]} */
    let places = [document];
    for (const step of steps) {
        const found = places.flatMap((place) => [...elementsOf(place)]).filter((one) => matches(one, step));
        places = [...new Set(found)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    }
    return places;
}
