/** The dialog with all shortcuts. */
import { openKeyList } from "../shared/key-list.js";

/** @typedef {{ keys: string, label: string, group?: string }} Listed */

/** The shortcuts that rows and texts handle themselves, and those of a note while no note is open. @type {Listed[]} */
const localShortcuts = [
    { keys: "Enter", label: "help.open", group: "list" },
    { keys: "Space", label: "help.choose", group: "list" },
    { keys: "Alt+↑", label: "help.up", group: "list" },
    { keys: "Alt+↓", label: "help.down", group: "list" },
    { keys: "Mod+Enter", label: "editor.preview", group: "note" },
    { keys: "Mod+Shift+c", label: "editor.checklist", group: "note" },
    { keys: "Mod+f", label: "editor.find", group: "note" },
    { keys: "Mod+b", label: "editor.mark.strong", group: "note" },
    { keys: "Mod+i", label: "editor.mark.emphasis", group: "note" },
    { keys: "Mod+k", label: "editor.mark.link", group: "note" },
    { keys: "[[", label: "editor.link.note", group: "note" },
    { keys: "Tab", label: "editor.mark.indent", group: "note" },
    { keys: "Shift+Tab", label: "editor.mark.outdent", group: "note" },
    { keys: "Mod+z", label: "undo", group: "note" },
];

/**
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("../shared/keys.js").Keys} keys
 */
export function openHelp(texts, keys) {
    const here = [...keys.all];
    const known = [...localShortcuts, { keys: keys.replaceKeys, label: "editor.find.replace", group: "note" }];
    /** @type {Listed[]} */
    const all = [...here, ...known.filter((each) => !here.some((key) => key.keys === each.keys))];
    const shortcutsOf = (/** @type {string} */ requestedGroup) =>
        all
            .filter(({ group = "" }) => group === requestedGroup)
            .map(({ keys: stroke, label }) => /** @type {const} */ ([keys.format(stroke), texts.say(label)]));
    openKeyList(texts, "help.title", [
        ["help.everywhere", shortcutsOf("")],
        ["help.list", shortcutsOf("list")],
        ["help.note", shortcutsOf("note")],
    ]);
}
