/** Who is signed in: by a link, by the sign-in screen, and anew over what is open when a session has ended. */
import { Problem } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { signInByLink } from "../shared/link.js";
import { signInView } from "./entrance.js";
import { signInForm } from "./sign-in.js";
import { routeFragment } from "./state/route.js";

/** @typedef {import("./frame.js").Environment} Environment */

export class Access {
    /** @param {import("./frame.js").Frame} frame */
    constructor(frame) {
        this.frame = frame;
        /** @type {{ close(): void } | null} the sign-in over a screen whose session has ended */
        this.asking = null;
    }

    /**
     * Signs in with the codes of a one-time link, which leaves the address at once.
     * @param {{ environment: string, code: string }[]} links
     */
    async openLink(links) {
        history.replaceState(null, "", routeFragment({ environment: links[0].environment }));
        for (const link of links) {
            try {
                await signInByLink(this.frame.api, this.frame.texts, link);
            } catch (failure) {
                if (failure instanceof Problem)
                    this.frame.notices.notify(
                        this.frame.texts.say("sign-in.link", {
                            environment: link.environment,
                            detail: failure.message,
                        }),
                    );
                else this.frame.fail(failure);
            }
        }
    }

    /** @param {Environment} environment */
    show(environment) {
        const back = this.frame.route.screen === "sign-in" ? `/${environment.name}/entries` : location.hash.slice(1);
        const done = async () => {
            await this.frame.loadEnvironments();
            if (this.frame.route.screen === "sign-in") this.frame.navigate(`#${this.frame.route.query.return ?? back}`);
            else await this.frame.go();
        };
        const form = {
            api: this.frame.api,
            texts: this.frame.texts,
            environment,
            back,
            problem: this.frame.route.query.problem,
            done,
        };
        this.frame.show(signInView(form));
        /** @type {HTMLElement | null} */ (this.frame.main.querySelector("#token"))?.focus();
    }

    /**
     * Asks for a sign-in over what is open, so that nothing of it is lost.
     * @param {string} name
     * @param {{ fresh: boolean, done: () => void }} [wish] a fresh sign-in, though the session goes on
     */
    askAgain(name, wish) {
        const environment = this.frame.environments.find((one) => one.name === name);
        if (this.asking || !environment?.session || name !== this.frame.route.environment) return;
        const draft = this.frame.workspace?.draft.size ?? 0;
        const lead = wish ? "sign-in.fresh" : draft > 0 ? "sign-in.ended.draft" : "sign-in.ended";
        const done = async () => {
            this.asking?.close();
            await this.frame.loadEnvironments();
            this.frame.tellBar();
            if (wish) wish.done();
            else this.frame.tryAgain();
        };
        const form = {
            api: this.frame.api,
            texts: this.frame.texts,
            environment,
            back: location.hash.slice(1),
            fresh: wish?.fresh,
            done,
        };
        this.frame.workspace?.pause();
        this.asking = openDialog({
            title: this.frame.texts.say(wish ? "sign-in.fresh.title" : "sign-in.ended.title"),
            body: [h("p", {}, this.frame.texts.say(lead, { n: draft })), signInForm(form)],
            close: this.frame.texts.say("close"),
            kind: "sign-in-again",
            closed: () => {
                this.asking = null;
                this.frame.workspace?.resume();
            },
        });
        /** @type {HTMLElement | null} */ (document.querySelector("dialog #token"))?.focus();
    }

    /** @param {() => void} done */
    freshen(done) {
        this.askAgain(this.frame.route.environment, { fresh: true, done });
    }

    async signOut() {
        const name = this.frame.route.environment;
        try {
            await this.frame.api.send("DELETE", `/${encodeURIComponent(name)}/session`);
        } catch (failure) {
            if (!(failure instanceof Problem)) return this.frame.fail(failure);
        }
        this.frame.workspace?.close();
        this.frame.workspace = null;
        await this.frame.loadEnvironments();
        await this.frame.go();
        this.frame.notices.notify(this.frame.texts.say("session.over", { name }));
    }
}
