// The command palette: finds keys, screens, environments and actions by a few letters.

import { openDialog } from "../shared/dialog.js";
import { fill, h, icon, userText } from "../shared/dom.js";
import { openHelp } from "./help.js";
import { screens } from "./screens/index.js";
import { setKey } from "./state/flags.js";
import { marked } from "./state/fuzzy.js";
import { find, moved, searchGroup } from "./state/palette.js";
import { personName } from "./state/people.js";
import { routeFragment } from "./state/route.js";
import { allows, mayWriteSomething } from "./state/scopes.js";

/** @typedef {import("./frame.js").FrameState} FrameState */
/** @typedef {Pick<import("./frame.js").Frame, "texts" | "keys" | "visit" | "setTheme">} Page */
/** @typedef {import("./state/palette.js").Item} Item */

/** The limit on the items in the list. */
const maxItems = 40;

/**
 * The groups of keys by workspace.
 * @type {WeakMap<object, { version: number, group: import("./state/palette.js").SearchGroup }>}
 */
const cachedGroups = new WeakMap();

/**
 * @param {Page} page
 * @param {FrameState} state
 */
export function openPalette(page, state) {
    const { texts } = page;
    /** @type {Item[]} */
    let items = [];
    let at = 0;
    const groups = [searchGroup(actions(page, state), 6), searchGroup(targets(page, state), 6), keysOf(page, state)];
    const list = h("ul", { role: "listbox", id: "palette-list", "aria-label": texts.say("palette.title") });
    const input = h("input", {
        type: "text",
        role: "combobox",
        autocomplete: "off",
        spellcheck: "false",
        autofocus: true,
        placeholder: texts.say("palette.hint"),
        "aria-label": texts.say("palette.hint"),
        "aria-controls": "palette-list",
        "aria-expanded": "true",
        oninput: () => draw(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => press(event),
    });
    const none = h("p", { class: "empty", role: "status" });
    const dialog = openDialog(texts, {
        title: texts.say("palette.title"),
        body: [h("div", { class: "palette-field" }, icon("search"), input), list, none],
        kind: "palette",
    });
    const draw = () => {
        items = find(groups, input.value, maxItems);
        at = items.length > 0 ? 0 : -1;
        let section = "";
        /** @type {HTMLElement[]} */
        const rows = [];
        for (const [index, item] of items.entries()) {
            if (item.section !== section)
                rows.push(h("li", { class: "section", role: "presentation" }, texts.say(item.section)));
            section = item.section;
            rows.push(row(item, index));
        }
        fill(list, rows);
        none.hidden = items.length > 0;
        fill(none, items.length > 0 ? "" : texts.say("past.none"));
        select(at);
    };
    /** @param {Item} item @param {number} index */
    const row = (item, index) =>
        h(
            "li",
            {
                role: "option",
                id: `palette-${index}`,
                "aria-selected": "false",
                onclick: () => run(item),
                onpointermove: () => at !== index && select(index),
            },
            h(
                "span",
                { class: "name" },
                marked(item.label, input.value).map((part, place) =>
                    place % 2 === 1 ? h("mark", {}, userText(part)) : userText(part),
                ),
            ),
            item.hint && h("small", { class: "hint" }, item.hint),
        );
    /** @param {number} index */
    const select = (index) => {
        list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
        at = index;
        const chosen = list.querySelector(`#palette-${index}`);
        chosen?.setAttribute("aria-selected", "true");
        chosen?.scrollIntoView({ block: "nearest" });
        if (index >= 0) input.setAttribute("aria-activedescendant", `palette-${index}`);
        else input.removeAttribute("aria-activedescendant");
    };
    /** @param {Item} item */
    const run = (item) => {
        dialog.close();
        item.run();
    };
    /** @param {KeyboardEvent} event */
    const press = (event) => {
        if (event.isComposing) return;
        const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 });
        if (event.key in steps) select(moved(at, steps[event.key], items.length));
        else if (event.key === "Enter" && items[at]) run(items[at]);
        else return;
        event.preventDefault();
    };
    draw();
    input.focus();
}

/** @param {Page} page @param {FrameState} state @returns {Item[]} */
function actions({ texts, keys, visit, setTheme }, { environments, environment, route, workspace }) {
    const scopes = environment?.session?.scopes ?? [];
    const section = "palette.actions";
    /**
     * @param {string} name
     * @param {string} screen
     * @param {string[]} [path]
     * @param {Record<string, string>} [query]
     * @returns {Item}
     */
    const open = (name, screen, path, query) => ({
        section,
        label: texts.say(name),
        words: screen,
        run: () => visit(routeFragment({ environment: route.environment, screen, path, query })),
    });
    const revision = workspace?.revision ?? 0;
    const others = environments.filter(
        (one) => one.name !== route.environment && (one.session || one.config_read === "public"),
    );
    return [
        ...(environment?.session && revision > 0
            ? [
                  open("palette.newest", "releases", [String(revision)]),
                  open("palette.past", "releases", [String(revision), "state"]),
                  ...(mayWriteSomething(scopes)
                      ? [open("palette.undo", "releases", [String(revision), "undo"]), open("import", "transfer")]
                      : []),
                  open("export", "transfer"),
              ]
            : []),
        ...(mayWriteSomething(scopes) ? [open("flags.add", "flags", undefined, { new: "1" })] : []),
        ...(environment?.session ? [open("screen.audiences", "flags", [setKey])] : []),
        ...(environment?.session
            ? others.map((one) => ({
                  section,
                  label: texts.say("palette.promote", { source: one.name, target: environment.name }),
                  words: "compare promote",
                  run: () =>
                      visit(routeFragment({ environment: environment.name, screen: "compare", path: [one.name] })),
              }))
            : []),
        ...(allows(scopes, "admin") ? [open("tokens.make", "tokens")] : []),
        {
            section,
            label: texts.say("help.title"),
            hint: "?",
            run: () => openHelp(texts, keys),
        },
        ...["light", "dark"].map((theme) => ({
            section,
            label: `${texts.say("theme")}: ${texts.say(`theme.${theme}`)}`,
            run: () => setTheme(theme),
        })),
    ];
}

/** @param {Page} page @param {FrameState} state @returns {Item[]} */
function targets({ texts, visit }, { environments, environment, route }) {
    const scopes = environment?.session?.scopes ?? [];
    return [
        ...screens
            .filter((screen) => allows(scopes, screen.scope))
            .map((screen) => ({
                section: "tabs",
                label: texts.say(`screen.${screen.name}`),
                words: screen.name,
                hint: `g ${screen.key}`,
                run: () => visit(routeFragment({ environment: route.environment, screen: screen.name })),
            })),
        ...environments.map((one) => ({
            section: "environments.title",
            label: one.name,
            hint: one.session ? personName(one.session) : texts.say("session.none"),
            run: () => visit(routeFragment({ environment: one.name })),
        })),
    ];
}

/** @param {Page} page @param {FrameState} state */
function keysOf({ visit }, { workspace, route }) {
    if (!workspace || workspace.name !== route.environment) return searchGroup([], 0);
    const known = cachedGroups.get(workspace);
    if (known?.version === workspace.table.version) return known.group;
    const group = searchGroup(
        workspace.table.rows.map(({ key }) => ({
            section: "palette.keys",
            label: key,
            run: () => visit(routeFragment({ environment: workspace.name, screen: "entries", path: [key] })),
        })),
        0,
    );
    cachedGroups.set(workspace, { version: workspace.table.version, group });
    return group;
}
