// Small parts shared by several screens.

import { curlLine, Problem } from "../../shared/api.js";
import { openDialog } from "../../shared/dialog.js";
import { button, h, icon, squareButton, userText } from "../../shared/dom.js";
import { authorName } from "../state/people.js";
import { routeFragment } from "../state/route.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../../shared/dom.js").Children} Children */

/**
 * @param {Children} title
 * @param {...Children} actions
 */
export const heading = (title, ...actions) =>
    h("header", { class: "heading" }, h("h1", {}, title), h("div", { class: "actions" }, ...actions));

/**
 * @param {Children} label
 * @param {HTMLElement} control
 * @param {Children} [hint]
 */
export function field(label, control, hint) {
    fields += 1;
    control.id ||= `field-${fields}`;
    const help = hint && h("small", { class: "hint", id: `${control.id}-hint` }, hint);
    if (help) control.setAttribute("aria-describedby", help.id);
    return h("div", { class: "field" }, h("label", { for: control.id }, label), control, help);
}

/** The number of fields so far, for unique ids. */
let fields = 0;

/**
 * Creates a badge with the raised part of the version: major, minor or patch.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} bump
 */
export const bumpMark = (texts, bump) => h("span", { class: `badge ${bump}` }, texts.say(`bump.${bump}`));

/**
 * Creates a badge with the draft's effect on an entry.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {ReturnType<typeof import("../state/filter.js").stateOf>} state
 */
export const stateMark = (texts, state) =>
    state && h("span", { class: `badge ${state === "edited" ? "changed" : state}` }, texts.say(`state.${state}`));

/**
 * Creates the mark of a favorite in a list.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {boolean} isFavorite
 */
export const favoriteMark = (texts, isFavorite) =>
    isFavorite && h("span", { class: "favorite" }, icon("star"), h("span", { class: "spoken" }, texts.say("favorite")));

/**
 * Creates the button that adds a key to the favorites, or removes it.
 * @param {Context} context
 * @param {string} key
 */
export function favoriteButton({ texts, workspace, notify }, key) {
    const { bookmarks, table } = workspace;
    const show = () => {
        star.ariaPressed = String(bookmarks.favorites.has(key));
    };
    const toggle = () => {
        if (!bookmarks.toggle(key)) notify(texts.say("bookmarks.refused"));
        show();
        // A filter by favorites has another result.
        table.version += 1;
        workspace.notify([key]);
    };
    const star = squareButton(texts.say("favorite"), icon("star"), toggle, { id: "favorite" });
    show();
    return star;
}

/**
 * Removes a change from the draft; the notice offers to restore it.
 * @param {Context} context
 * @param {string} key
 */
export function undoChange({ texts, workspace: { draft }, notify }, key) {
    const gone = draft.undo(key);
    if (!gone) return;
    notify(texts.say("draft.undone", { key }), { label: texts.say("draft.redo"), run: () => draft.redo(key, gone) });
}

/**
 * Creates a relative time with the exact time as its tooltip.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string | null | undefined} time
 * @param {string} [never] the text if there is no time
 */
export function timeMark(texts, time, never = "–") {
    if (!time) return h("span", { class: "faint" }, never);
    return h("time", { datetime: time, title: texts.time(time) }, texts.relative(time));
}

/**
 * Shows an author's name, with the id as its tooltip.
 * @param {{ author: string, author_name?: string | null }} record
 */
export const authorMark = (record) => h("span", { title: record.author }, userText(authorName(record)));

/**
 * Shows a value on one line, truncated if it is long.
 * @param {string} value JSON text
 * @param {number} maxLength the limit, in UTF-16 units
 */
export function shortValue(value, maxLength = 120) {
    const text = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
    const color = /^"(#[0-9A-Fa-f]{6})"$/.exec(value);
    const swatch = color && h("span", { class: "swatch", "aria-hidden": "true" });
    if (color && swatch) swatch.style.setProperty("background-color", color[1]);
    return h("code", { class: "short-value" }, swatch, userText(text));
}

/**
 * @param {string} environment
 * @param {string} key
 */
export function keyLink(environment, key) {
    return h(
        "a",
        { class: "key-link", href: routeFragment({ environment, screen: "entries", path: [key] }) },
        userText(key),
    );
}

/**
 * Creates a field that filters keys and values.
 * @param {Context} context
 * @param {() => void} oninput
 */
export function searchField({ texts, keys, signal }, oninput) {
    const name = texts.say("past.filter");
    const input = h("input", { type: "search", placeholder: name, "aria-label": name, oninput });
    keys.add({ keys: "/", label: "key.filter", run: () => input.focus() }, signal);
    return input;
}

/**
 * Creates an error message.
 * @param {Children} words
 * @param {string} [role] `alert` unless the surrounding element is a live region
 */
export const errorMessage = (words, role) => h("p", { class: "error", role }, icon("alert"), h("span", {}, words));

/**
 * Returns the address of a release, or of one of its parts.
 * @param {string} environment
 * @param {...(string | number)} path
 */
export const releaseFragment = (environment, ...path) =>
    routeFragment({ environment, screen: "releases", path: path.map(String) });

/**
 * Shows a notice about a new release, with a link to it.
 * @param {Context} context
 * @param {string} text
 * @param {number} revision
 */
export function notifyRelease({ texts, environment, navigate, notify }, text, revision) {
    const run = () => navigate(releaseFragment(environment.name, revision));
    notify(text, { label: texts.say("show"), run });
}

/**
 * Creates a placeholder for an empty list.
 * @param {string} text
 */
export const emptyPlaceholder = (text) => h("div", { class: "empty" }, h("p", {}, text));

/**
 * Creates a placeholder for a list whose filter finds nothing, with a button that clears the filter.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} text
 * @param {HTMLFormElement} form the filter
 */
export function noMatches(texts, text, form) {
    const clear = () => {
        for (const field of /** @type {any} */ (form.elements)) field.value = "";
        form.dispatchEvent(new Event("input"));
    };
    return h("div", { class: "empty stack" }, h("p", {}, text), button(texts.say("empty.filter.clear"), clear));
}

/**
 * Creates a button that shows a call as a curl line.
 * @param {Context} context
 * @param {string | (() => {method: string, path: string, headers?: Record<string, string>, body?: string | null}
 *     | null)} call a path stands for a GET request
 */
export function curlButton(context, call) {
    const { texts } = context;
    const show = () => {
        const request = typeof call === "string" ? { method: "GET", path: call } : call();
        if (!request) return;
        const line = curlLine({ headers: {}, body: null, ...request }, location.origin);
        const title = texts.say("curl.title");
        openDialog(texts, {
            title,
            body: [
                h("pre", { class: "curl", tabindex: 0, "aria-label": title }, h("code", {}, userText(line))),
                h("p", { class: "hint" }, texts.say("curl.lead")),
            ],
            actions: button(texts.say("copy"), () => copy(context, line), "primary", "copy"),
            cancel: null,
        });
    };
    return button(texts.say("curl"), show, "quiet curl-button", "terminal");
}

/**
 * @param {Context} context
 * @param {string} text
 * @param {string} [said] a key of the texts
 * @returns {Promise<boolean>} true if the text was copied
 */
export async function copy({ texts, notify, showError }, text, said = "copied") {
    try {
        await navigator.clipboard.writeText(text);
        notify(texts.say(said));
        return true;
    } catch (failure) {
        showError(failure);
        return false;
    }
}

/**
 * Runs an action that may need a fresh sign-in; if it does, asks for the sign-in and runs the action again.
 * @param {Pick<Context, "signInAgain" | "showError">} context
 * @param {() => Promise<void>} run
 */
export async function withFreshSignIn(context, run) {
    try {
        await run();
    } catch (failure) {
        if (failure instanceof Problem && failure.kind === "fresh-sign-in-needed")
            context.signInAgain(() => withFreshSignIn(context, run));
        else context.showError(failure);
    }
}

/**
 * Returns a debounced function.
 * @param {() => void} run
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
export function debounced(run, milliseconds, signal) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    signal.addEventListener("abort", () => clearTimeout(timer));
    return () => {
        clearTimeout(timer);
        timer = setTimeout(run, milliseconds);
    };
}

/**
 * Creates the fields of a filter; `change` is called when any of them changes.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {{name: string, type: string, options?: [string, string][]}[]} fields
 * @param {Record<string, string>} values
 * @param {(values: Record<string, string>) => void} change
 */
export function filterBar(texts, fields, values, change) {
    const form = h("form", { class: "filters", role: "search", "aria-label": texts.say("filter.title") });
    const notifyChange = () => change(Object.fromEntries(/** @type {[string, string][]} */ ([...new FormData(form)])));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        notifyChange();
    });
    form.addEventListener("input", notifyChange);
    for (const { name, type, options } of fields) {
        const value = values[name] ?? "";
        const control = options
            ? h(
                  "select",
                  { name },
                  options.map(([one, text]) => h("option", { value: one, selected: one === value }, text)),
              )
            : h("input", { name, type, value, autocomplete: "off", spellcheck: "false" });
        form.append(field(texts.say(`filter.${name}`), control));
    }
    return form;
}

/**
 * Creates the bar above a part beside the list: back to the list, and back to the release.
 * @param {Context} context
 * @param {string} revision
 * @param {string} [part]
 */
export function backLinks({ texts, environment, navigate, route }, revision, part) {
    /** @param {string[]} path */
    const go = (path) =>
        navigate(routeFragment({ environment: environment.name, screen: "releases", path, query: route.query }));
    return h(
        "nav",
        { class: "aside-bar", "aria-label": texts.say("release.around") },
        button(texts.say("releases.all"), () => go([]), "quiet to-list", "back"),
        part && button(texts.say("release.revision", { n: revision }), () => go([revision]), "quiet", "back"),
    );
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} title
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 */
export function table(texts, title, heads, rows) {
    const head = heads.map((one) => (one ? h("th", { scope: "col" }, texts.say(one)) : h("td", {})));
    for (const row of rows) {
        for (const [at, cell] of [...row.children].entries()) {
            if (at > 0 && heads[at]) cell.setAttribute("data-label", texts.say(heads[at]));
        }
    }
    return h("table", { "aria-label": texts.say(title) }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}
