/** The code that reads a key in an app, and the page of an empty environment. Both are loaded on demand. */

/** @typedef {import("../frame.js").Context} Context */

/**
 * @param {Context} context
 * @param {(parts: typeof import("./first-minutes.js")) => void} show
 */
async function load({ texts, signal, showError }, show) {
    try {
        const parts = await import("./first-minutes.js");
        await parts.loadTexts(texts);
        if (!signal.aborted) show(parts);
    } catch (failure) {
        showError(failure);
    }
}

/**
 * Opens a dialog with the code that reads a key.
 * @param {Context} context
 * @param {string} key
 */
export const openClientCode = (context, key) => load(context, (parts) => parts.openCode(context, key));

/**
 * Shows the code that reads the key of an environment's first release, and scrolls to it.
 * @param {Context} context
 * @param {string} key
 * @param {HTMLElement} place
 */
export const introduceKey = (context, key, place) =>
    load(context, (parts) => {
        const part = parts.firstKey(context, key);
        place.prepend(part);
        part.scrollIntoView({ block: "center" });
    });

/**
 * Fills a place with the page of an empty environment.
 * @param {Context} context
 * @param {HTMLElement} place
 * @param {() => void} add adds an entry
 * @param {() => void} addFlag
 */
export function showWelcome(context, place, add, addFlag) {
    if (place.querySelector(".welcome")) return;
    load(
        context,
        ({ welcome }) =>
            context.workspace.table.rows.length > 0 || place.replaceChildren(welcome(context, add, addFlag)),
    );
}
