/** The steps of a ramp over time, and its curve. */
import { h, svgIcon } from "../../shared/dom.js";
import { rampAt, readPercent } from "../state/flags-shares.js";
import { instantOf, localZone, timeText } from "../state/flags-times.js";
import { Digits } from "../state/flags-tree.js";
import { percent } from "../state/flags-words.js";
import { removal, replacedAt, without } from "./flags-conditions.js";
import { addButton, iconButton, input, moveItems, timeField } from "./flags-fields.js";

/** @typedef {[string, Digits]} Point */
/** @import { Form } from "./flags-fields.js" */

/** The interval between the last step and a new one, in milliseconds. */
export const stepInterval = 7 * 86_400_000;

/**
 * @param {Form} form
 * @param {string} path
 * @param {string} color the CSS class of the variant inside the ramp
 * @param {Node[]} by the field for the attribute that splits users
 * @param {() => Point[]} now
 * @param {(points: Point[]) => void} take
 */
export function rampView(form, path, color, by, now, take) {
    const { texts } = form;
    const list = `${path}/point`;
    /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */
    const fields = [];
    let isChecking = false;
    const chart = svgIcon("");
    chart.setAttribute("class", `ramp ${color}`);
    chart.setAttribute("viewBox", "0 0 200 100");
    chart.setAttribute("preserveAspectRatio", "none");
    const line = /** @type {Element} */ (chart.firstChild);
    const dot = /** @type {Element} */ (line.cloneNode());
    chart.append(dot);
    const caption = h("small", { class: "hint" });
    const draw = () => {
        const points = now();
        const times = points.map(([time]) => instantOf(time));
        const start = times[0];
        const length = /** @type {number} */ (times.at(-1)) - start || 1;
        const place = (/** @type {number} */ time, /** @type {number} */ share) =>
            `${Math.min(200, Math.max(0, 10 + (180 * (time - start)) / length))} ${100 - share}`;
        const steps = points.map(([, { text }], at) => `L${place(times[at], Number(text))}`);
        line.setAttribute("d", `M0 ${100 - Number(points[0][1].text)}${steps.join("")}H200`);
        const today = form.now();
        const share = rampAt(points, today);
        dot.setAttribute("d", `M${place(today, share)}h.01`);
        caption.textContent = texts.say("flag.ramp.now", {
            share: percent(texts, Math.round(share) / 100),
            zone: localZone(),
        });
    };
    const set = (/** @type {Point[]} */ points) => {
        take(points);
        draw();
    };
    const row = (/** @type {Point} */ [time, { text }], /** @type {number} */ at) => {
        const point = `${list}/${at}`;
        const change = (/** @type {0 | 1} */ part, /** @type {string | Digits} */ value) =>
            set(replacedAt(now(), at, /** @type {Point} */ (replacedAt(now()[at], part, value))));
        const order = (/** @type {string} */ one) => {
            const [before, after] = [now()[at - 1], now()[at + 1]];
            const isLater =
                (!before || instantOf(one) > instantOf(before[0])) && (!after || instantOf(one) < instantOf(after[0]));
            return !isLater && texts.say("flag.time.order");
        };
        const field = timeField(form, point, time, (to) => change(0, to), order);
        field.addEventListener("input", () => {
            // The order of times depends on the other fields.
            if (isChecking) return;
            isChecking = true;
            for (const one of fields) if ("invalid" in one.dataset) one.dispatchEvent(new Event("input"));
            isChecking = false;
        });
        fields.push(field);
        return h(
            "div",
            { class: "flag-line", "data-path": `${path}/almanac.ramp` },
            field,
            input(
                form,
                point,
                "flag.weight",
                texts.number(Number(text)),
                (typed) => change(1, new Digits(`${readPercent(typed)}`)),
                {
                    inputmode: "decimal",
                    class: "weight",
                    dir: "ltr",
                    fault: (typed) => readPercent(typed) === null && texts.say("flag.weight.fault"),
                },
            ),
            "%",
            now().length > 1 &&
                iconButton(form, texts.say("flag.step.remove"), () => {
                    moveItems(form, list, removal(list, at));
                    take(without(now(), at));
                }),
        );
    };
    const add = () => {
        const [time, share] = /** @type {Point} */ (now().at(-1));
        take([...now(), [timeText(instantOf(time) + stepInterval), share]]);
    };
    draw();
    return [
        chart,
        caption,
        ...now().map(row),
        h("div", { class: "flag-line" }, by, addButton(form, "flag.step.add", add)),
    ];
}
