/**
 * Asks whether to sign in as another user. Closing the dialog keeps the present session.
 * @param {{ openDialog: typeof import("./dialog.js").openDialog, h: typeof import("./dom.js").h,
 *     texts: import("./texts.js").Texts }} page the page's own modules: importing them here would split the page's
 * bundle
 * @param {Record<string, string>} names
 * @returns {Promise<boolean>}
 */
export const confirmSwitch = ({ openDialog, h, texts }, names) =>
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
            onClose: () => answer(false),
        });
    });
