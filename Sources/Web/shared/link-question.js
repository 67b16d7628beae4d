/**
 * Asks whether to sign in as somebody else; whoever closes the question stays signed in.
 * @param {{ openDialog: typeof import("./dialog.js").openDialog, h: typeof import("./dom.js").h,
 *     texts: import("./texts.js").Texts }} page what the page has loaded: an import here would part its one file
 * @param {Record<string, string>} names
 * @returns {Promise<boolean>}
 */
export const agrees = ({ openDialog, h, texts }, names) =>
    new Promise((answer) => {
        const button = (/** @type {string} */ text, /** @type {string} */ kind, /** @type {boolean} */ isAgreed) => {
            const onclick = () => {
                answer(isAgreed);
                dialog.close();
            };
            return h("button", { type: "button", class: kind, onclick }, h("span", {}, texts.parts(text, names)));
        };
        const dialog = openDialog({
            title: texts.parts("link.title", names),
            body: h("p", {}, texts.parts("link.lead", names)),
            actions: [button("link.stay", "", false), button("link.agree", "primary", true)],
            close: texts.say("close"),
            closed: () => answer(false),
        });
    });
