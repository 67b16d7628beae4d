/** The evaluations of a flag: the last time, the number by variant, and a graph of the last week or year. */
import { button, fill, h, svgElement, userText } from "../../shared/dom.js";
import { errorMessage, timeMark } from "../controls/controls.js";
import { spansOf } from "../state/flags-spans.js";

/** The height of the graph in its own units; a span is one unit wide. */
const height = 30;

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {import("./flags-shares-bar.js").Palette} palette
 */
export function usesView({ api, texts, workspace, signal }, key, palette) {
    const lines = h("div", { class: "parts" });
    const graph = h("div", { class: "parts", hidden: true });
    /** @type {"hours" | "days"} */
    let range = "hours";
    /** @type {any} the response of the server */
    let counted = null;
    /** @type {string | null | undefined} the time of the last evaluation in the graph */
    let drawn;

    const choices = /** @type {const} */ (["hours", "days"]).map((one) => {
        const choose = () => {
            range = one;
            draw();
        };
        return button(texts.say(`flag.uses.${one}`), choose, "small");
    });
    const total = h("span", { class: "hint" });
    const head = h("div", { class: "flag-line", hidden: true }, choices, h("span", { class: "space" }), total);
    const draw = () => {
        const isWeek = range === "hours";
        const spans = spansOf(counted[range], range, workspace.now());
        const sums = spans.map(({ counts }) => counts.reduce((sum, [, n]) => sum + n, 0));
        const most = Math.max(1, ...sums);
        const form = new Intl.DateTimeFormat(texts.locale, {
            dateStyle: "medium",
            timeStyle: isWeek ? "short" : undefined,
        });
        /** @type {HTMLElement[]} */
        const rows = [];
        const columns = spans.map(({ start, counts }, at) => {
            let y = height;
            const time = form.format(start);
            const said = counts.map(([one, n]) => `${one ?? texts.say("flag.none")} ${texts.number(n)}`).join(", ");
            if (said) rows.push(h("tr", {}, h("th", { scope: "row" }, time), h("td", {}, userText(said))));
            const bars = counts.map(([one, n]) => {
                const size = Math.max(0.5, (n / most) * height);
                y -= size;
                const color = one === null ? "" : palette.color(one);
                return svgElement("rect", { class: color, x: at + 0.1, y, width: 0.8, height: size });
            });
            return svgElement("g", {}, svgElement("title", {}, `${time}: ${said}`), ...bars);
        });
        total.textContent = texts.say("flag.uses", { n: sums.reduce((sum, n) => sum + n, 0) });
        head.hidden = graph.hidden = false;
        for (const [at, choice] of choices.entries()) choice.setAttribute("aria-pressed", `${isWeek === (at === 0)}`);
        const viewBox = `0 0 ${spans.length} ${height}`;
        const picture = { class: "graph", viewBox, preserveAspectRatio: "none", "aria-hidden": "true" };
        fill(
            graph,
            svgElement("svg", picture, ...columns),
            h("p", { class: "hint" }, form.format(spans[0].start)),
            h("table", { class: "spoken" }, h("caption", {}, total.textContent), rows),
        );
    };
    const load = async () => {
        try {
            counted = (await api.get(`${workspace.root}/flags/${encodeURIComponent(key)}/evaluations`, { signal }))
                .document;
            draw();
        } catch {
            // The next evaluation loads the counts again.
        }
    };
    /** @param {import("../state/flags.js").Usage | undefined} use */
    const show = (use) => {
        const never = texts.say("never");
        const last = use?.last_evaluated_at;
        fill(
            lines,
            use?.fault && errorMessage([h("code", {}, userText(use.fault.path)), " ", userText(use.fault.message)]),
            last ? h("p", {}, timeMark(texts, last)) : h("p", { class: "hint" }, texts.say("flag.uses.none")),
            last &&
                use.variants
                    .slice(0, 50)
                    .map(({ name, evaluations, last_evaluated_at: time }) =>
                        h(
                            "p",
                            { class: "flag-line" },
                            h("span", { class: `variant ${palette.color(name)}` }),
                            userText(name),
                            h("strong", {}, evaluations > 0 && `${texts.number(evaluations)} ×`),
                            timeMark(texts, time, never),
                        ),
                    ),
        );
        if (last && last !== drawn) load();
        drawn = last;
    };
    const element = h("section", { class: "card-box" }, h("h2", {}, texts.say("flag.last")), lines, head, graph);
    return { element, show };
}
