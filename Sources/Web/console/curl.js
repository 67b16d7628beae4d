// A call of the page as a line for a terminal.

import { curlLine } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { foreign, h } from "../shared/dom.js";
import { button } from "./screens/parts.js";

/**
 * @param {import("./frame.js").Frame} frame
 * @param {Parameters<typeof curlLine>[0]} call
 */
export function openCurl(frame, call) {
    const { texts } = frame;
    const line = curlLine(call, location.origin);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(line);
            frame.notices.notify(texts.say("copied"));
        } catch (failure) {
            frame.fail(failure);
        }
    };
    openDialog({
        title: texts.say("curl.title"),
        body: [
            h(
                "pre",
                { class: "curl", tabindex: 0, "aria-label": texts.say("curl.title") },
                h("code", {}, foreign(line)),
            ),
            h("p", { class: "hint" }, texts.say("curl.lead")),
        ],
        actions: [button(texts.say("copy"), copy, "primary", "copy")],
        close: texts.say("close"),
    });
}
