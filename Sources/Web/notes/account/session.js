/** The session of open notes: checks its user, and signs in again by a link or after its end. */

import { Problem, Unreachable } from "../../shared/api.js";
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";
import { signInByLink } from "../../shared/link.js";
import { routeFragment } from "../route.js";
import { signInForm } from "./sign-in.js";

/** @import { Account, Session } from "../frame.js" */
/** @import { Environment } from "./sign-in.js" */

export class SessionWatch {
    #page;
    /** The open dialog: the sign-in, or the choice between two users' notes. @type {{ close(): void } | null} */
    #dialog = null;
    /** The known state of the open account's session. @type {"unknown" | "good" | "ended" | "other"} */
    #status = "unknown";
    #otherUser = "";
    /** The last check, and the next one, which begins after it. @type {Promise<void>} */
    #checking = Promise.resolve();
    /** @type {Promise<void> | null} */
    #nextCheck = null;

    /**
     * @param {object} page
     * @param {import("../../shared/api.js").API} page.api
     * @param {import("../../shared/texts.js").Texts} page.texts
     * @param {import("./accounts.js").DeviceAccounts} page.device
     * @param {import("../bars.js").Bars["set"]} page.bar
     * @param {import("../../shared/notices.js").Notices["notify"]} page.notify
     * @param {(failure: unknown) => void} page.fail
     * @param {() => Account | null} page.account returns the open account
     * @param {() => void} page.changed runs when the account's session changes
     * @param {(environment: string, account: string) => Promise<void>} page.open opens a user's notes
     * @param {() => Promise<void>} page.showRoute shows the view of the address
     */
    constructor(page) {
        this.#page = page;
        addEventListener("online", () => this.check());
    }

    /**
     * Signs in with a one-time link, whose code has already left the address. If another user's notes are open, they
     * stay separate, and the user chooses which to show.
     * @param {{ environment: string, code: string }} link
     */
    async openLink(link) {
        const { environment } = link;
        const { api, texts, device, notify, fail, open } = this.#page;
        try {
            const answer = await signInByLink(api, texts, link);
            if (!answer) return;
            const account = this.#page.account();
            const { name } = answer.document;
            const current = account ?? device.current(environment);
            if (current?.environment === environment && current.name !== name) {
                if (!account) await open(environment, current.name);
                return await this.check();
            }
            device.use(environment, name);
            if (account) await this.check();
        } catch (failure) {
            if (!(failure instanceof Problem)) return fail(failure);
            notify(texts.say("sign-in.link", { environment, detail: failure.message }), undefined, "failure");
        }
    }

    /** Forgets the session's state when the account closes. */
    forget() {
        this.#status = "unknown";
    }

    /**
     * Ends the browser's session, which only the server can do.
     * @param {string} environment
     * @returns {Promise<boolean>} `true` if the session has ended
     */
    async end(environment) {
        // Another user's session must not end with these notes.
        if (this.#status === "other" || this.#status === "ended") return true;
        try {
            await this.#page.api.send("DELETE", `/${encodeURIComponent(environment)}/session`);
            return true;
        } catch (failure) {
            return failure instanceof Problem && failure.status === 401;
        }
    }

    /**
     * Checks the session's user, and reports a user other than the open notes' owner. A pending response may predate
     * the reason for this call, so another check follows it.
     */
    check() {
        const begin = () => {
            this.#nextCheck = null;
            this.#checking = this.#compare();
            return this.#checking;
        };
        this.#nextCheck ??= this.#checking.then(begin, begin);
        return this.#nextCheck;
    }

    async #compare() {
        const { api, fail, changed } = this.#page;
        const account = this.#page.account();
        if (!account) return;
        /** @type {Session | null} */
        let session = null;
        try {
            const answer = await api.sendOnce("GET", `/${encodeURIComponent(account.environment)}/session`, {});
            session = answer.document;
        } catch (failure) {
            if (!(failure instanceof Problem) || failure.status !== 401) return;
        }
        if (this.#page.account() !== account) return;
        account.session = session?.name === account.name ? session : null;
        const before = this.#status;
        this.#status = account.session ? "good" : session ? "other" : "ended";
        this.#otherUser = session?.name ?? "";
        changed();
        if (this.#status === "good" && before !== "unknown" && before !== "good") account.engine.syncNow().catch(fail);
        this.renderBar();
        if (this.#status === "other" && before !== "other") await this.#openAccountChoice(account);
    }

    /** Repeats the check if the session ended, because the user may have signed in in another tab. */
    recheckIfEnded() {
        if (this.#status === "ended" || this.#status === "other") this.check();
    }

    /** Shows the session's state in a bar. */
    renderBar() {
        const other = this.#otherUser;
        const { texts, bar } = this.#page;
        const account = this.#page.account();
        const again = { label: texts.say("access.again"), run: () => this.openSignInDialog() };
        if (!account || this.#status === "good" || this.#status === "unknown") return bar("session", null);
        if (this.#status === "ended") return bar("session", { text: texts.say("access.ended"), actions: [again] });
        bar("session", {
            text: texts.parts("access.other", { other, name: account.name }),
            actions: [{ label: texts.say("access.open"), run: () => this.#openOther(account) }, again],
        });
    }

    /**
     * Opens a sign-in dialog over the notes, which stay open.
     * @param {string} [problem] the reason for the last failure
     */
    async openSignInDialog(problem) {
        const { api, texts, fail } = this.#page;
        const account = this.#page.account();
        if (this.#dialog || !account) return;
        /** @type {Environment | undefined} */
        let environment;
        try {
            const { document } = await api.get("/environments");
            environment = document.find((/** @type {Environment} */ one) => one.name === account.environment);
        } catch (failure) {
            if (failure instanceof Unreachable) return fail(failure);
        }
        if (this.#dialog || this.#page.account() !== account) return;
        const form = {
            api,
            texts,
            environment: environment ?? { name: account.environment, sign_in: ["provider", "token"], session: null },
            returnPath: location.hash.slice(1),
            problem,
            done: async () => {
                this.#dialog?.close();
                await this.check();
            },
        };
        this.#dialog = openDialog(texts, {
            title: texts.say("access.again.title"),
            body: [h("p", {}, texts.parts("access.again.lead", { name: account.name })), signInForm(form)],
            onClose: () => {
                this.#dialog = null;
            },
        });
        /** @type {HTMLElement | null} */ (document.querySelector("dialog .sign-in-ways :is(input, a)"))?.focus();
    }

    /** Reports that another user is signed in, and lets the user choose the notes to show. @param {Account} account */
    async #openAccountChoice(account) {
        const other = this.#otherUser;
        const { texts } = this.#page;
        this.#dialog?.close();
        const { pending: n } = account.engine.state();
        const dialog = confirm(texts, {
            title: texts.say("access.other.title"),
            body: [
                h("p", {}, texts.parts("access.other", { other, name: account.name })),
                h("p", {}, texts.parts("access.other.apart", { name: account.name })),
                n > 0 ? h("p", {}, texts.say("access.other.pending", { n })) : null,
            ],
            cancel: texts.parts("access.stay", { name: account.name }),
            answers: [
                {
                    label: texts.parts("access.open.name", { name: other }),
                    kind: "primary",
                    run: () => this.#openOther(account),
                },
            ],
            onClose: () => {
                if (this.#dialog === dialog) this.#dialog = null;
            },
        });
        this.#dialog = dialog;
    }

    /** @param {Account} account the account whose notes stay on this device */
    async #openOther(account) {
        const { device, showRoute } = this.#page;
        if (this.#page.account() !== account || !this.#otherUser) return;
        device.use(account.environment, this.#otherUser);
        this.#status = "unknown";
        history.replaceState(null, "", routeFragment({ environment: account.environment }));
        await showRoute();
    }
}
