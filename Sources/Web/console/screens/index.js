/** The screens, in the order of the navigation. All of them but the entries are in parts that are loaded on demand. */
import { Unreachable } from "../../shared/api.js";
import { whenIdle } from "../../shared/dom.js";
import { open as entries } from "./entries-screen.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../../shared/texts.js").Texts} Texts */

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: import("../state/route.js").Route) => void} [show]
 * @property {() => void} [close]
 */

/**
 * @typedef {object} Screen
 * @property {string} name the name in the route and in the texts
 * @property {string} scope the scope that the session needs
 * @property {string} key the key pressed after `g`
 * @property {(texts: Texts) => void} [begin] starts loading the screen's part
 * @property {(context: Context) => View | Promise<View>} open
 */

/** The failure to load a part: the server is away, or has only the files of later versions. */
export class PartMissing extends Unreachable {}

/** @typedef {{ addTexts?: (texts: Texts) => Promise<unknown> }} Part a module that also exports its screens by name */

const flags = async () => {
    const { loadTexts, open } = await import("./flags-screen.js");
    return { addTexts: loadTexts, flags: open };
};
const flagForms = () => import("./flags-forms.js");
const releases = () => import("./releases-part.js");
const proposals = () => import("./proposals-part.js");
const hooks = () => import("./hooks-part.js");
export const administration = () => import("./administration-part.js");

/**
 * @template {Part} Loaded
 * @param {() => Promise<Loaded>} part
 * @param {Texts} texts
 */
export async function load(part, texts) {
    try {
        const loaded = await part();
        await loaded.addTexts?.(texts);
        return loaded;
    } catch (cause) {
        throw new PartMissing("part missing", { cause });
    }
}

/**
 * Loads all parts while the page is idle, so that they open at once, even in an outage that starts later.
 * @param {Texts} texts
 * @param {(() => Promise<Part>)[]} others parts that have no screen
 */
export function prefetch(texts, ...others) {
    const parts = /** @type {(() => Promise<Part>)[]} */ ([
        flags,
        flagForms,
        releases,
        proposals,
        hooks,
        administration,
        ...others,
    ]);
    whenIdle(() => parts.map((part) => load(part, texts).catch(() => {})));
}

/**
 * @template {string} Name
 * @param {Name} name
 * @param {string} key
 * @param {() => Promise<Part & Record<Name, Screen["open"]>>} part
 * @param {string} [scope]
 * @returns {Screen}
 */
const screen = (name, key, part, scope = "config:read") => ({
    name,
    scope,
    key,
    begin: (texts) => load(part, texts).catch(() => {}),
    open: async (context) => (await load(part, context.texts))[name](context),
});

/** The screens that have a tab. */
export const tabScreens = [
    { name: "entries", scope: "config:read", key: "e", open: entries },
    screen("flags", "f", flags),
    screen("proposals", "o", proposals),
    screen("releases", "r", releases),
    screen("compare", "c", releases),
];

/** All screens; those without a tab are in a menu beside the tabs. */
export const screens = [
    ...tabScreens,
    screen("majors", "m", administration),
    screen("transfer", "i", administration),
    screen("people", "p", administration, "admin"),
    screen("tokens", "t", administration),
    screen("hooks", "w", hooks, "admin"),
    screen("audit", "a", administration, "admin"),
    screen("health", "h", administration),
];
