/** Keyboard shortcuts. They are all registered here, so that the help can list them. */

/**
 * @typedef {object} Shortcut
 * @property {string} keys `n`, `g e` (a sequence), `Mod+s` (⌘ on a Mac, Ctrl elsewhere), which works inside fields too,
 * `Mod+Alt+f` (only on a Mac, because Ctrl and Alt write characters elsewhere)
 * @property {string} label a key of the texts
 * @property {() => void} run
 * @property {() => boolean} [when] returns false while the browser shall handle the key
 * @property {Element} [list] the list that the shortcut is for; it works unless the focus is outside the list
 * @property {string} [group] the shortcut's group in the help
 */

/** The longest time between the two keys of a sequence, in milliseconds. */
const sequenceTimeout = 1200;

/**
 * Returns a key's name; a letter of another script has the name of the Latin letter on the same key.
 * @param {{ key: string, code: string }} event
 */
export const keyName = ({ key, code }) =>
    key.length > 1 ? key : (/[ -~]/.test(key) ? key : code.replace("Key", "")).toLowerCase();

export class Keys {
    /**
     * @param {Document} document
     * @param {boolean} apple true if `Mod` is ⌘
     */
    constructor(document, apple) {
        /** @type {Set<Shortcut>} */
        this.all = new Set();
        this.apple = apple;
        this.prefix = "";
        this.deadline = 0;
        this.document = document;
        document.addEventListener("keydown", (event) => this.press(event));
    }

    /** The usual shortcut of Replace. On Apple's systems, ⌘H hides the window. */
    get replaceKeys() {
        return this.apple ? "Mod+Alt+f" : "Mod+h";
    }

    /**
     * @param {Shortcut} key
     * @param {AbortSignal} [signal] removes the shortcut when aborted
     */
    add(key, signal) {
        this.all.add(key);
        signal?.addEventListener("abort", () => this.all.delete(key));
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        if (event.defaultPrevented || event.isComposing) return;
        const modifier = this.apple ? event.metaKey : event.ctrlKey;
        if (event.altKey && !(this.apple && modifier)) return;
        if (!modifier && (event.metaKey || event.ctrlKey)) return;
        const name = keyName(event);
        const stroke = modifier ? `Mod+${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${name}` : name;
        const sequence = event.timeStamp < this.deadline ? `${this.prefix} ${stroke}` : stroke;
        this.deadline = 0;
        if (this.document.querySelector("dialog[open]")) return;
        // Inside a shadow tree, `event.target` is the tree's host instead of the field.
        const [target] = event.composedPath();
        const inField =
            target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
        const focused = this.document.activeElement;
        const isNear = (/** @type {Shortcut} */ { list }) => !list || list.contains(focused) || focused?.contains(list);
        const open = [...this.all].filter(
            (key) => (!inField || key.keys.startsWith("Mod+")) && isNear(key) && (key.when?.() ?? true),
        );
        // The newest shortcut comes first, so a screen's shortcut overrides the frame's.
        const key = open.findLast((one) => one.keys === sequence) ?? open.findLast((one) => one.keys === stroke);
        if (key) {
            event.preventDefault();
            key.run();
        } else if (!inField && open.some((one) => one.keys.startsWith(`${stroke} `))) {
            this.prefix = stroke;
            this.deadline = event.timeStamp + sequenceTimeout;
        }
    }

    /**
     * Formats a shortcut for this keyboard.
     * @param {string} keys
     */
    format(keys) {
        return keys
            .replace("Mod+", this.apple ? "⌘" : "Ctrl ")
            .replace("Shift+", this.apple ? "⇧" : "⇧ ")
            .replace("Alt+", this.apple ? "⌥" : "Alt ")
            .replace("Enter", "↵");
    }

    /**
     * Formats a shortcut for the attribute `aria-keyshortcuts`.
     * @param {string} keys
     */
    ariaFormat(keys) {
        return keys.replace("Mod+", this.apple ? "Meta+" : "Control+");
    }
}
