/** Dialogs for the tags of several notes, and for renaming or removing a tag everywhere. */
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, h, userText } from "../../shared/dom.js";
import { isTag } from "../../shared/formats.js";
import { isWithin } from "../engine/tag-family.js";
import { TagField } from "./tag-field.js";

/** @typedef {import("../frame.js").Context} Context */

/** Adds and removes tags of notes. @param {Context} context @param {string[]} ids */
export async function editTags(context, ids) {
    const { engine, texts, fail } = context;
    try {
        const [summaries, { tags: all }] = await Promise.all([
            engine.summaries(ids),
            engine.list({ place: "list", order: "edited", limit: 0 }),
        ]);
        /** @type {Map<string, number>} */
        const counts = new Map();
        for (const { tags } of summaries) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
        openTags(
            context,
            summaries.map(({ id }) => id),
            counts,
            all.map(([tag]) => tag),
        );
    } catch (failure) {
        fail(failure);
    }

    /**
     * @param {Context} context
     * @param {string[]} ids
     * @param {Map<string, number>} counts the number of notes with each tag
     * @param {string[]} all
     */
    function openTags({ notify }, ids, counts, all) {
        const n = ids.length;
        /** @type {string[]} */
        let added = [];
        const field = new TagField({
            texts,
            tags: [],
            label: texts.say("list.tags.added"),
            suggestions: () => all,
            change: (tags) => {
                added = tags;
            },
        });
        const boxes = [...counts].map(([tag, count]) => {
            const box = h("input", { type: "checkbox", checked: count === n, indeterminate: count < n });
            const some = count < n ? h("span", { class: "hint" }, texts.say("list.tags.some", { n: count })) : null;
            return { tag, box, element: h("li", {}, h("label", {}, box, userText(tag)), some) };
        });
        const save = async () => {
            // Input that was typed but not entered counts too.
            if (!field.add(field.input.value)) return;
            dialog.close();
            const kept = boxes.filter(({ box }) => box.checked && !box.indeterminate).map(({ tag }) => tag);
            const remove = boxes.filter(({ box }) => !box.checked && !box.indeterminate).map(({ tag }) => tag);
            const add = [...added, ...kept.filter((tag) => counts.get(tag) !== n)].filter(
                (tag) => !remove.includes(tag),
            );
            if (add.length === 0 && remove.length === 0) return;
            try {
                await engine.retag(ids, { add, remove });
                notify(texts.say("list.tags.saved", { n }));
            } catch (failure) {
                fail(failure);
            }
        };
        const dialog = openDialog(texts, {
            title: texts.say("list.tags.of", { n }),
            body: [
                boxes.length > 0 &&
                    h(
                        "ul",
                        { class: "tag-boxes" },
                        boxes.map(({ element }) => element),
                    ),
                field.element,
            ],
            actions: button(texts.say("list.tags.save"), save, "primary"),
        });
        field.input.focus();
    }
}

/** Renames or removes a tag in all notes, including the trash. @param {Context} context @param {string} tag */
export async function changeTag(context, tag) {
    const { engine, texts, navigate, notify, fail } = context;
    const { ids, trashed, all, family } = await notesWith();
    const n = ids.length;
    const name = h("input", { type: "text", value: tag, dir: "auto", id: "tag-name", maxlength: "128" });
    const error = h("p", { class: "tag-error", id: "tag-name-error", role: "alert" });
    name.setAttribute("aria-describedby", error.id);
    const form = h(
        "form",
        {
            class: "tag-form",
            onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                rename();
            },
        },
        h("label", { for: name.id }, texts.say("list.tag.name")),
        h("div", { class: "together" }, name, h("button", { class: "primary" }, texts.say("list.tag.rename"))),
        error,
    );
    const dialog = openDialog(texts, {
        title: texts.say("list.tag.title"),
        body: [
            h("p", {}, texts.parts("list.tag.lead", { tag, n })),
            trashed > 0 && h("p", { class: "hint" }, texts.say("list.tag.trashed", { n: trashed })),
            family.some((each) => each !== tag) && h("p", { class: "hint" }, texts.say("list.tag.family")),
            form,
        ],
        actions: [button(texts.say("list.tag.remove", { n }), remove, "danger")],
    });
    name.select();

    async function notesWith() {
        const places = /** @type {const} */ (["list", "trash"]);
        const found = await Promise.all(places.map((place) => engine.list({ place, tag, order: "edited" })));
        const [list, trash] = found.map((listing) => listing.ids);
        const ids = [...list, ...trash];
        const summaries = await engine.summaries(ids);
        const family = [...new Set(summaries.flatMap(({ tags }) => tags))].filter((each) => isWithin(each, tag));
        return { ids, summaries, family, trashed: trash.length, all: found[0].tags.map(([each]) => each) };
    }

    function rename() {
        const wanted = name.value.trim();
        if (wanted === tag) return dialog.close();
        const renamed = (/** @type {string} */ each) => wanted + each.slice(tag.length);
        if (!isTag(wanted) || !family.every((each) => isTag(renamed(each)))) {
            error.textContent = texts.say("list.tag.unfit");
            name.setAttribute("aria-invalid", "true");
            return;
        }
        const run = () => change((each) => [renamed(each)], "list.tag.renamed", { place: "tags", tag: wanted });
        dialog.close();
        if (!all.includes(wanted)) return run();
        confirm(texts, {
            title: texts.say("list.tag.join.title"),
            body: h("p", {}, texts.parts("list.tag.join", { tag, other: wanted, n })),
            answers: [{ label: texts.say("list.tag.join.button"), kind: "primary", run }],
        });
    }

    function remove() {
        const run = () => change(() => [], "list.tag.removed", {});
        dialog.close();
        confirm(texts, {
            title: texts.say("list.tag.remove.title"),
            body: h("p", {}, texts.parts("list.tag.remove.text", { tag, n })),
            answers: [{ label: texts.say("list.tag.remove", { n }), kind: "danger", run }],
        });
    }

    /**
     * @param {(tag: string) => string[]} added returns the tags to add instead of the tag or a tag under it
     * @param {string} said
     * @param {import("../route.js").Wish} there the route of the notes afterwards
     */
    async function change(added, said, there) {
        try {
            // Read the notes again, because other devices may have tagged more notes meanwhile.
            const now = await notesWith();
            for (const each of now.family) {
                const tagged = now.summaries.filter(({ tags }) => tags.includes(each)).map(({ id }) => id);
                await engine.retag(tagged, { add: added(each), remove: [each] });
            }
            if (context.route.place === "tags" && context.route.tag === tag)
                navigate({ ...there, note: context.route.note }, true);
            notify(texts.say(said, { n: now.ids.length }));
        } catch (failure) {
            fail(failure);
        }
    }
}
