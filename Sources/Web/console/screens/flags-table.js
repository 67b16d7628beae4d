/** The table of the flags, and the cells of its rows. */
import { h, userText } from "../../shared/dom.js";
import { ControlRows } from "../controls/control-rows.js";
import { favoriteMark, stateMark, timeMark } from "../controls/controls.js";
import { shownDescription, stateOf } from "../state/filter.js";
import {
    commonType,
    definitionOf,
    isArchived,
    isDue,
    isPublic,
    metadataOf,
    stateWord,
    tagsOf,
} from "../state/flags.js";
import { sharesWithoutRule } from "../state/flags-shares.js";
import { typeKey } from "../state/flags-types.js";
import { kindText, sharesText } from "../state/flags-words.js";
import { paletteOf, shareBar } from "./flags-shares-bar.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/entries.js").Row} Row */
/** @typedef {import("../state/flags.js").Usage} Usage */

const columns = ["name", "state", "rollout", "last", "owner", "tags", "changed"];

/** The least width of a table with one line per flag, in pixels, and of five columns below the flag. */
const [tableWidth, cardWidth] = [960, 560];

/**
 * @typedef {object} FlagTableForm
 * @property {(index: number) => unknown[]} facts returns what a row shows, first the flag's key
 * @property {(key: string) => number} place returns a flag's index, or -1
 * @property {(index: number) => string} href
 * @property {(index: number) => HTMLElement[]} cells creates the cells of a row
 * @property {(index: number) => string | undefined} keyAt
 * @property {(index: number, event: KeyboardEvent) => boolean} press returns true if the key was handled
 */
export class FlagTable extends ControlRows {
    /** The selected keys; null outside the selection. @type {Set<string> | null} */
    chosen = null;

    /**
     * @param {import("../../shared/texts.js").Texts} texts
     * @param {FlagTableForm} flags
     */
    constructor(texts, flags) {
        const label = texts.say("screen.flags");
        super({ label, height: 56, make: () => h("div"), press: flags.press });
        this.flags = flags;
        this.keyAt = flags.keyAt;
        /** The facts that the rows show. @type {WeakMap<HTMLElement, unknown[]>} */
        this.facts = new WeakMap();
        const heads = columns.map((column) => h("span", { role: "columnheader" }, texts.say(`flags.column.${column}`)));
        const head = h("div", { role: "row", class: "flag-row flag-head", "aria-rowindex": "1" }, heads);
        this.body = h("div", { class: "window-space", role: "rowgroup" });
        this.element.setAttribute("role", "table");
        this.element.setAttribute("aria-label", label);
        this.element.replaceChildren(h("div", { role: "rowgroup", class: "flag-heads" }, head), this.body);
    }

    takeFocus() {
        if (this.count > 0) this.focus(this.active);
    }

    /** @override */
    resize() {
        const width = this.element.clientWidth;
        const isTable = width >= tableWidth;
        this.element.classList.toggle("cards", !isTable);
        this.head = Number(isTable);
        this.rowHeight = isTable ? 56 : width < cardWidth ? 116 : 128;
        this.body.style.setProperty("--row-height", `${this.rowHeight}px`);
        super.resize();
    }

    /** @override @param {boolean} isChanged */
    render(isChanged) {
        if (isChanged) this.follow();
        super.render(isChanged);
        this.element.setAttribute("aria-rowcount", String(this.count + 1));
    }

    /** Moves the rows to the new places of their flags, because creating rows makes typing slow. */
    follow() {
        let gone = 0;
        this.shown = new Map(
            [...this.shown.values()].map((row) => {
                const at = this.flags.place(`${this.facts.get(row)?.[0]}`);
                return [at < 0 ? --gone : at, row];
            }),
        );
    }

    /** @override @param {number} at @param {HTMLElement} row */
    replace(at, row) {
        const known = this.facts.get(row);
        const facts = this.flags.facts(at);
        if (!facts.every((fact, index) => fact === known?.[index])) super.replace(at, row);
        else {
            this.place(at, row).ariaRowIndex = `${at + 2}`;
            row.dataset.at = String(at);
            row.querySelector("a")?.setAttribute("href", this.flags.href(at));
            this.rove(at, row);
        }
        this.facts.set(/** @type {HTMLElement} */ (this.shown.get(at)), facts);
    }

    /** @override @param {number} at @returns {any} a row of a table, where the base class has a list's item */
    row(at) {
        const attributes = { class: "window-row flag-row", role: "row", "aria-rowindex": at + 2, "data-at": at };
        const row = h("div", attributes, this.flags.cells(at));
        this.facts.set(row, this.flags.facts(at));
        this.rove(at, row);
        return row;
    }
}

/**
 * Creates the cells of a flag's row.
 * @param {Context} context
 * @param {Row} row
 * @param {Usage | undefined} use
 * @param {string} href
 * @param {Set<string> | null} chosen the selected keys; null outside the selection
 */
export function flagCells({ texts, workspace }, row, use, href, chosen) {
    const now = workspace.now();
    const definition = definitionOf(row);
    const variants = definition?.get("variants");
    const standard = definition?.get("defaultVariant");
    const word = stateWord(row.change?.after || row.entry?.full ? definition?.get("state") : use?.state);
    const { rules = 0, shares = null } =
        definition && word === "on" && variants instanceof Map ? sharesWithoutRule(definition, now) : {};
    const bar = shares && shareBar(texts, paletteOf(texts, variants, standard), shares).element;
    bar?.setAttribute("aria-hidden", "true");
    const called = shares?.map(({ variant, share }) => ({ variant: variant ?? standard ?? null, share }));
    const said = called ? [sharesText(texts, called)] : [];
    if (rules > 0) said.push(texts.say("flag.rules.count", { n: rules }));
    const type = use?.type ?? (variants instanceof Map && commonType(variants));
    const description = shownDescription(row);
    const metadata = metadataOf(definition);
    const [kind, tags] = [metadata.get("kind"), tagsOf(definition)];
    const chip = (/** @type {string} */ tag) => h("span", { class: "badge" }, userText(tag));
    const by = use?.updated_by_name ?? use?.updated_by ?? row.entry?.author;
    const badge = (/** @type {boolean | undefined} */ isShown, /** @type {string} */ key, kind = "") =>
        isShown && h("span", { class: `badge ${kind}` }, texts.say(key));
    /** @param {unknown} text */
    const line = (text) =>
        typeof text === "string" && text
            ? h("span", { class: "flag-text" }, userText(text))
            : h("span", { class: "none" }, "–");
    const content = [
        [
            h(
                "span",
                { class: "flag-line" },
                chosen &&
                    h("input", {
                        type: "checkbox",
                        class: "primary-control",
                        checked: chosen.has(row.key),
                        "aria-label": row.key,
                    }),
                h("a", { class: chosen ? "key-link" : "primary-control key-link", href }, userText(row.key)),
                stateMark(texts, stateOf(row)),
                badge(Boolean(use?.fault), "flags.show.faulty", "removed"),
                badge(isDue(definition, now), "flags.show.due", "conflict"),
                badge(isArchived(definition), "flags.show.archived"),
                badge(use?.life === "settled", "flags.show.settled"),
                badge(definition ? isPublic(definition) : use?.public, "flags.show.public"),
                favoriteMark(texts, workspace.bookmarks.favorites.has(row.key)),
            ),
            h(
                "span",
                { class: "flag-text faint" },
                type ? texts.say(typeKey(type)) : "–",
                typeof kind === "string" && [" · ", userText(kindText(texts, kind))],
                description && [" · ", userText(description)],
            ),
        ],
        h("span", {}, h("span", { class: `lamp ${word}`, "aria-hidden": "true" }), texts.say(`flag.state.${word}`)),
        [bar, line(said.join(", "))],
        h(
            "span",
            { class: use?.life === "unused" ? "badge conflict" : "flag-text" },
            timeMark(texts, use?.last_evaluated_at, use && texts.say("never")),
        ),
        line(metadata.get("owner")),
        tags.length > 0
            ? h(
                  "span",
                  { class: "flag-tags", title: tags.join(", ") },
                  chip(tags[0]),
                  tags.length > 1 &&
                      h("span", { class: "flag-line" }, chip(tags[1]), tags.length > 2 && `+${tags.length - 2}`),
              )
            : line(""),
        [
            h("span", { class: "flag-text" }, timeMark(texts, use?.updated_at ?? row.entry?.updated_at)),
            by && h("span", { class: "flag-text faint" }, userText(by)),
        ],
    ];
    return content.map((parts, at) => {
        const name = columns[at];
        const attributes = {
            role: "cell",
            class: `flag-cell ${name}`,
            "data-label": texts.say(`flags.column.${name}`),
        };
        return h("div", attributes, parts);
    });
}
