/** The audiences: rules that flags share, each with its name and the flags that use it. */
import { confirm } from "../../shared/confirm.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { heading, table as tableOf } from "../controls/controls.js";
import { isFlag } from "../state/entries.js";
import { setKey, targetingsOf, withMember } from "../state/flags.js";
import { audiencesOf, mapReferences, referencesIn } from "../state/flags-references.js";
import { readCondition } from "../state/flags-rules.js";
import { readTree, writeTree } from "../state/flags-tree.js";
import { conditionText } from "../state/flags-words.js";
import { routeFragment } from "../state/route.js";
import { mayWrite } from "../state/scopes.js";
import { openAudience } from "./flags-audience.js";
import { backLink } from "./flags-fields.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-tree.js").Members} Members */
/** @typedef {import("../state/draft.js").Content} Content */
/** @typedef {{ key: string, before: Content | null, now: Content, targeting: Tree, names: Set<string> }} Use a flag that uses audiences */

/** The limit on the users shown in a row. */
const maxShown = 5;

/** @param {import("../frame.js").Context} context */
export async function audiences(context) {
    const { texts, workspace, environment, signal, notify } = context;
    const { draft, table } = workspace;
    const { scopes } = environment.session;
    const readOnly = !mayWrite(scopes, setKey);
    /** @type {Content | null} */
    let stored = null;
    /** @type {Use[]} */
    let uses = [];
    let reading = 0;
    const content = () => {
        const change = draft.change(setKey);
        return change ? change.after : stored;
    };
    const all = () => audiencesOf(content());

    /** Reads the audiences, and the flags that use one. */
    const read = async () => {
        reading += 1;
        const turn = reading;
        const next = await workspace.content(setKey);
        /** @type {Use[]} */
        const found = [];
        for (const { key, change } of table.rows.filter(isFlag)) {
            if (change?.after === null) continue;
            const before = await workspace.content(key);
            const now = change?.after ?? before;
            if (!now || !/\$ref|\\u/.test(now.value)) continue;
            const targeting = /** @type {any} */ (readTree(now.value))?.get?.("targeting") ?? null;
            found.push({ key, before, now, targeting, names: referencesIn(targeting) });
        }
        if (turn !== reading || signal.aborted) return;
        [stored, uses] = [next, found];
        draw();
    };
    /**
     * @param {Members} evaluators
     * @param {import("../state/draft.js").Edit[]} [edits] edits of flags
     */
    const write = (evaluators, edits = []) => {
        const { value: text = "{}", description = "" } = content() ?? {};
        const value = writeTree(withMember(/** @type {Members} */ (readTree(text)), "$evaluators", evaluators));
        return draft.editAll([[setKey, stored, { value, description, kind: "flag-set" }], ...edits]);
    };
    /** @param {string} name @param {string} to @param {Tree} tree */
    const save = (name, to, tree) => {
        const change = (/** @type {string} */ one) => (one === name ? to : one);
        const next = new Map(
            [...all()].map(([one, old]) => (one === name ? [to, tree] : [one, mapReferences(old, change)])),
        );
        if (!name) next.set(to, tree);
        const renamed = uses.filter(({ names }) => name && name !== to && names.has(name));
        write(
            next,
            renamed.map(({ key, before, now, targeting }) => {
                const definition = /** @type {Members} */ (readTree(now.value));
                const value = writeTree(withMember(definition, "targeting", mapReferences(targeting, change)));
                return [key, before, { ...now, value }];
            }),
        );
    };
    /** Returns the flags and the other audiences that use an audience. @param {string} name */
    const usersOf = (name) => [
        ...uses
            .filter(({ names }) => names.has(name))
            .map(({ key }) => {
                const href = routeFragment({ environment: environment.name, screen: "flags", path: [key] });
                return h("a", { class: "key-link", href }, userText(key));
            }),
        ...[...all()]
            .filter(([one, tree]) => one !== name && referencesIn(tree).has(name))
            .map(([one]) => h("span", {}, userText(one))),
    ];
    /** @param {string} [name] */
    const edit = (name = "") => {
        const [others, tree] = [[...all().keys()].filter((one) => one !== name), all().get(name)];
        const canRename = uses.every(({ key, names }) => !names.has(name) || mayWrite(scopes, key));
        const rules = [...targetingsOf(table.rows), all()];
        openAudience(context, { name, tree, others, canRename, rules }, (to, rule) => save(name, to, rule));
    };
    /** @param {string} name */
    const remove = (name) => {
        const users = usersOf(name);
        if (users.length > 0) {
            const dialog = confirm(texts, {
                title: texts.say("audience.used", { name }),
                body: users.map((one) => h("p", { onclick: () => one.matches("a") && dialog.close() }, one)),
                cancel: texts.say("close"),
                answers: [],
            });
            return;
        }
        const undo = write(withMember(all(), name, undefined));
        notify(texts.say("audience.removed", { name }), { label: texts.say("draft.undo.short"), run: undo });
    };
    const element = h("section", { class: "flag" });
    const row = (/** @type {[string, Tree]} */ [name, tree]) => {
        const [, list] = readCondition(tree).parts;
        const users = usersOf(name);
        return h(
            "tr",
            {},
            h("th", { scope: "row" }, userText(name)),
            h(
                "td",
                {},
                userText(
                    Array.isArray(list) && list.length > maxShown
                        ? texts.say("audience.count", { n: list.length })
                        : conditionText(texts, tree),
                ),
            ),
            h(
                "td",
                {},
                users.length || "–",
                users.slice(0, maxShown).map((one, at) => [at ? ", " : " · ", one]),
                users.length > maxShown && "…",
            ),
            h(
                "td",
                { class: "row-actions" },
                !readOnly && [
                    button(texts.say("audience.edit"), () => edit(name), "quiet"),
                    button(texts.say("entry.remove"), () => remove(name), "quiet danger"),
                ],
            ),
        );
    };
    const draw = () => {
        const rows = [...all()].map(row);
        const add = () => !readOnly && button(texts.say("audience.add"), () => edit(), "primary", "add");
        const isFocused = element.contains(document.activeElement);
        fill(
            element,
            backLink(texts, routeFragment({ environment: environment.name, screen: "flags" })),
            heading(texts.say("screen.audiences"), rows.length > 0 && add()),
            h("p", { class: "hint" }, texts.say("audience.hint")),
            rows.length > 0
                ? h(
                      "div",
                      { class: "table-box" },
                      tableOf(texts, "screen.audiences", ["audience.name", "audience.who", "audience.users", ""], rows),
                  )
                : h("div", { class: "empty stack" }, h("h2", {}, texts.say("audience.none")), add()),
        );
        if (isFocused) element.querySelector("button")?.focus();
    };
    await read();
    /** @param {string[] | null} keys */
    const renew = async (keys) => {
        if (keys?.length !== 0) await read();
    };
    return { element, renew, focusWanted: () => {} };
}
