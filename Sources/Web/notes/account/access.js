/** Who is signed in: by a link, at the sign-in screen, and anew over the notes when a session has ended. */
import { Problem, Unreachable } from "../../shared/api.js";
import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";
import { signInByLink } from "../../shared/link.js";
import { routeFragment } from "../route.js";
import { askToDecide } from "./attention.js";
import { entranceView, waitingView } from "./entrance.js";
import { signInForm } from "./sign-in.js";

/** @import { Account, Frame, Session } from "../frame.js" */

/**
 * @typedef {object} Environment as `/environments` lists it
 * @property {string} name
 * @property {("provider" | "token")[]} sign_in
 * @property {Session | null} session
 */

/** How often the page asks for what it could not get, in milliseconds. */
const retryPause = 4000;

export class Access {
    /** @param {Frame} frame */
    constructor(frame) {
        this.frame = frame;
        /** @type {{ close(): void } | null} the dialog that asks for a sign-in, or whose notes to open */
        this.asking = null;
        /** What is known of the session of the open account. @type {"unknown" | "good" | "ended" | "other"} */
        this.standing = "unknown";
        this.other = "";
        /** The question about notes that the server has lost. @type {{ close(): void } | null} */
        this.deciding = null;
        /** The last check, and the one that begins after it. @type {Promise<void>} */
        this.checking = Promise.resolve();
        /** @type {Promise<void> | null} */
        this.nextCheck = null;
        addEventListener("online", () => this.check());
    }

    /**
     * Signs in with a one-time link, whose code has left the address already.
     * @param {{ environment: string, code: string }} link
     */
    async openLink(link) {
        const { frame } = this;
        const { environment } = link;
        try {
            const answer = await signInByLink(frame.api, frame.texts, link);
            if (answer) await this.arrive(environment, answer.document);
        } catch (failure) {
            if (failure instanceof Problem)
                frame.notices.notify(
                    frame.texts.say("access.link", { environment, detail: failure.message }),
                    undefined,
                    true,
                );
            else frame.fail(failure);
        }
    }

    /**
     * Somebody has signed in. Notes of somebody else that are open stay apart, and it is asked which to show.
     * @param {string} environment
     * @param {Session} session
     */
    async arrive(environment, session) {
        const { frame } = this;
        const current = frame.account ?? frame.device.current(environment);
        if (current && current.environment === environment && current.name !== session.name) {
            if (!frame.account) await frame.open(environment, current.name);
            return this.check();
        }
        frame.device.use(environment, session.name);
        if (current && current === frame.account) await this.check();
    }

    /**
     * Where this device has no notes to open: what the server knows of the browser, or a way to sign in.
     * @param {string} name of an environment, or empty
     */
    async enter(name) {
        const { frame } = this;
        await frame.closeAccount();
        const environments = await this.environments();
        if (!environments) return;
        const wanted = environments.filter((one) => !name || one.name === name);
        const open = wanted.filter(({ session }) => session?.kind === "user");
        if (open.length === 1 && open[0].session) {
            frame.device.use(open[0].name, open[0].session.name);
            return this.proceed(open[0].name);
        }
        if (name || environments.length === 1) return this.ask(name ? wanted[0] : environments[0], name, environments);
        frame.alone(entranceView(frame, environments));
    }

    /**
     * The sign-in screen, though there may be a session.
     * @param {string} name
     */
    async signIn(name) {
        await this.frame.closeAccount();
        const environments = await this.environments();
        if (!environments) return;
        this.ask(
            environments.find((one) => one.name === name),
            name,
            environments,
        );
    }

    /**
     * @param {Environment | undefined} environment
     * @param {string} name
     * @param {Environment[]} all
     */
    ask(environment, name, all) {
        const { frame } = this;
        if (!environment && !/^[a-z][a-z0-9-]{0,31}$/.test(name)) return frame.alone(entranceView(frame, all, name));
        const { route } = frame;
        const form = {
            frame,
            // One that is seen only by who is signed in; the server does not say whether it is there.
            environment: environment ?? { name, sign_in: ["provider", "token"], session: null },
            back: route.place === "sign-in" ? `/${name}` : location.hash.slice(1) || `/${name}`,
            problem: route.query.problem,
            done: async (/** @type {Session} */ session) => {
                frame.device.use(form.environment.name, session.name);
                await this.proceed(form.environment.name);
            },
        };
        frame.alone(entranceView(frame, all, name, form));
        /** @type {HTMLElement | null} */ (
            frame.layout.main.querySelector(".sign-in-ways input, .sign-in-ways a")
        )?.focus();
    }

    /**
     * Goes on where the address says.
     * @param {string} environment
     */
    async proceed(environment) {
        const { frame } = this;
        const { place } = frame.route;
        if (place === "sign-in" || frame.route.environment !== environment)
            history.replaceState(null, "", routeFragment({ environment }));
        await frame.go();
    }

    /**
     * Those that the server lists; null when the page has gone on to something else meanwhile.
     * @returns {Promise<Environment[] | null>}
     */
    async environments() {
        const { frame } = this;
        const { hash } = location;
        for (;;) {
            try {
                const answer = await frame.api.get("/environments");
                return location.hash === hash ? answer.document : null;
            } catch (failure) {
                if (location.hash !== hash) return null;
                const words = failure instanceof Unreachable ? "access.away" : "";
                frame.alone(waitingView(frame, words ? frame.texts.say(words) : frame.wording(failure)));
                await new Promise((done) => {
                    setTimeout(() => done(undefined), retryPause);
                    addEventListener("online", () => done(undefined), { once: true });
                });
                if (location.hash !== hash) return null;
            }
        }
    }

    /**
     * Asks who is signed in, and tells it where it is not who the open notes belong to. An answer that is on its way
     * may be older than the reason for this call, so the server is asked again after it.
     */
    check() {
        const begin = () => {
            this.nextCheck = null;
            this.checking = this.compare();
            return this.checking;
        };
        this.nextCheck ??= this.checking.then(begin, begin);
        return this.nextCheck;
    }

    async compare() {
        const { frame } = this;
        const account = frame.account;
        if (!account) return;
        /** @type {Session | null} */
        let session = null;
        try {
            const answer = await frame.api.once("GET", `/${encodeURIComponent(account.environment)}/session`, {});
            session = answer.document;
        } catch (failure) {
            if (!(failure instanceof Problem) || failure.status !== 401) return;
        }
        if (frame.account !== account) return;
        account.session = session?.name === account.name ? session : null;
        const before = this.standing;
        this.standing = account.session ? "good" : session ? "other" : "ended";
        this.other = session?.name ?? "";
        frame.dispatchEvent(new Event("account"));
        if (this.standing === "good") {
            if (before !== "unknown" && before !== "good")
                account.engine.syncNow().catch((failure) => frame.fail(failure));
        }
        this.tell();
        if (this.standing === "other" && before !== "other") await this.askWhose(account);
    }

    /** Somebody may have signed in elsewhere in this browser. */
    look() {
        if (this.standing === "ended" || this.standing === "other") this.check();
    }

    /**
     * Asks what becomes of notes that the server has lost, once by itself and then by a bar.
     * @param {{ missing: number, total: number } | null} decision
     * @param {{ missing: number, total: number } | null} before
     */
    decide(decision, before) {
        const { frame } = this;
        if (!decision) {
            this.deciding?.close();
            this.deciding = null;
            frame.bars.set("decision", null);
        } else if (!before) {
            const ask = () => {
                this.deciding = askToDecide(frame, decision);
            };
            const action = { label: frame.texts.say("decide.button"), run: ask };
            frame.bars.set("decision", { text: frame.texts.say("status.deciding"), actions: [action] });
            ask();
        }
    }

    /** Says over the notes what is known of the session. */
    tell() {
        const { frame, other } = this;
        const { texts, account } = frame;
        const again = { label: texts.say("access.again"), run: () => this.askAgain() };
        if (!account || this.standing === "good" || this.standing === "unknown") return frame.bars.set("session", null);
        if (this.standing === "ended")
            return frame.bars.set("session", { text: texts.say("access.ended"), actions: [again] });
        frame.bars.set("session", {
            text: texts.parts("access.other", { other, name: account.name }),
            actions: [{ label: texts.say("access.open"), run: () => this.openOther(account) }, again],
        });
    }

    /**
     * Asks for a sign-in over the notes, which stay as they are.
     * @param {string} [problem] why the last attempt failed
     */
    async askAgain(problem) {
        const { frame } = this;
        const account = frame.account;
        if (this.asking || !account) return;
        /** @type {Environment | undefined} */
        let environment;
        try {
            const { document } = await frame.api.get("/environments");
            environment = document.find((/** @type {Environment} */ one) => one.name === account.environment);
        } catch (failure) {
            if (failure instanceof Unreachable) return frame.fail(failure);
        }
        if (this.asking || frame.account !== account) return;
        const { texts } = frame;
        const form = {
            frame,
            environment: environment ?? { name: account.environment, sign_in: ["provider", "token"], session: null },
            back: location.hash.slice(1),
            problem,
            done: async () => {
                this.asking?.close();
                await this.check();
            },
        };
        this.asking = openDialog({
            title: texts.say("access.again.title"),
            body: [h("p", {}, texts.parts("access.again.lead", { name: account.name })), signInForm(form)],
            close: texts.say("close"),
            kind: "sign-in-again",
            closed: () => {
                this.asking = null;
            },
        });
        /** @type {HTMLElement | null} */ (document.querySelector("dialog .sign-in-ways :is(input, a)"))?.focus();
    }

    /**
     * Somebody else is signed in than whose notes are open: says so, and asks which to show.
     * @param {Account} account
     */
    async askWhose(account) {
        const { frame, other } = this;
        const { texts } = frame;
        this.asking?.close();
        const { pending: n } = account.engine.state();
        const dialog = openDialog({
            title: texts.say("access.other.title"),
            body: [
                h("p", {}, texts.parts("access.other", { other, name: account.name })),
                h("p", {}, texts.parts("access.other.apart", { name: account.name })),
                n > 0 ? h("p", {}, texts.say("access.other.pending", { n })) : null,
            ],
            actions: [
                h(
                    "button",
                    { type: "button", onclick: () => dialog.close() },
                    h("span", {}, texts.parts("access.stay", { name: account.name })),
                ),
                h(
                    "button",
                    {
                        type: "button",
                        class: "primary",
                        onclick: () => {
                            dialog.close();
                            this.openOther(account);
                        },
                    },
                    h("span", {}, texts.parts("access.open.name", { name: other })),
                ),
            ],
            close: texts.say("close"),
            closed: () => {
                if (this.asking === dialog) this.asking = null;
            },
        });
        this.asking = dialog;
    }

    /** @param {Account} account whose notes stay on this device */
    async openOther(account) {
        const { frame, other } = this;
        if (frame.account !== account || !other) return;
        frame.device.use(account.environment, other);
        this.standing = "unknown";
        history.replaceState(null, "", routeFragment({ environment: account.environment }));
        await frame.go();
    }
}
