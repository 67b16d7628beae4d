/** The dialog with one key in all environments. */

import { openDialog } from "../../shared/dialog.js";
import { fill, h, icon, userText } from "../../shared/dom.js";
import { shortValue, timeMark } from "../controls/controls.js";
import { sameContent } from "../state/draft.js";
import { readEntry } from "../state/entries.js";
import { authorName } from "../state/people.js";
import { routeFragment } from "../state/route.js";
import { mayWriteSomething } from "../state/scopes.js";

/** @typedef {import("../frame.js").Context} Context */

/** Returns the other environments that the user can change. @param {Context} context */
export const copyTargets = ({ environment, environments }, targets = environments) =>
    targets.filter(({ name, session }) => name !== environment.name && mayWriteSomething(session?.scopes ?? []));

/**
 * Returns links that compare the environment with others and select keys to copy.
 * @param {Context} context
 * @param {string[]} keys
 * @param {import("../frame.js").Environment[]} [targets]
 */
export function copyLinks(context, keys, targets) {
    const { texts, environment } = context;
    return copyTargets(context, targets).map(({ name }) => {
        const path = [environment.name];
        const href = routeFragment({ environment: name, screen: "compare", path, query: { keys: keys.join() } });
        return h("a", { href }, texts.say("places.copy", { name }));
    });
}

/**
 * Opens a dialog that shows the key's saved entry in each environment.
 * @param {Context} context
 * @param {string} key
 */
export async function openPlaces(context, key) {
    const { api, texts, environment, environments, messageOf, signal } = context;
    const list = h("ul", { class: "changes" }, h("li", {}, texts.say("loading")));
    const dialog = openDialog(texts, { title: texts.say("places.title"), body: [h("p", { class: "key" }, key), list] });
    // A link leads to another screen.
    list.addEventListener("click", ({ target }) => target instanceof HTMLAnchorElement && dialog.close());
    const readable = environments.filter(({ session, config_read }) => session || config_read === "public");
    const places = await Promise.all(
        readable.map(async (one) => {
            const path = `/${encodeURIComponent(one.name)}/config`;
            try {
                // A search that starts just before the key finds it before the server stops searching.
                const after = key.slice(0, -1) || undefined;
                const { document } = await api.get(path, { query: { form: "summary", q: key, after }, signal });
                const found = document.find((/** @type {{ key: string }} */ item) => item.key === key);
                if (!found) return { one, entry: null };
                const entry = readEntry(found);
                const value = entry.full
                    ? entry.text
                    : (await api.get(`${path}/${encodeURIComponent(key)}`, { signal })).document.value;
                return { one, entry: { ...entry, value } };
            } catch (failure) {
                return { one, entry: null, failure };
            }
        }),
    );
    const here = places.find(({ one }) => one.name === environment.name)?.entry ?? null;
    fill(
        list,
        places.map(({ one, entry, failure }) => {
            const isSame = sameContent(entry, here);
            return h(
                "li",
                { class: "change" },
                h(
                    "div",
                    { class: "label-row" },
                    one.caution && icon("alert"),
                    h("a", { href: routeFragment({ environment: one.name, path: [key] }) }, one.name),
                    entry && here && !isSame && h("span", { class: "badge changed" }, texts.say("places.different")),
                    h("span", { class: "space" }),
                    here && !isSame && copyLinks(context, [key], [one]),
                ),
                entry
                    ? [
                          shortValue(entry.value),
                          h("p", {}, userText(entry.description)),
                          h(
                              "p",
                              { class: "hint" },
                              texts.say(`type.${entry.type}`),
                              " · ",
                              texts.parts("entry.last", {
                                  when: timeMark(texts, entry.updated_at),
                                  name: authorName(entry),
                                  n: entry.revision,
                              }),
                          ),
                      ]
                    : h("p", { class: "hint" }, failure ? messageOf(failure) : texts.say("places.missing")),
            );
        }),
    );
}
