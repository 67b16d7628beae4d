/**
 * Handles the purpose of opening the page: an app shortcut, or a text from a link or from another app's share (see
 * sw.js). Any site can send either, so creating a note from a text requires the user's consent.
 */
import { confirm } from "../../shared/confirm.js";
import { h, userText } from "../../shared/dom.js";

/** @import { Account, Context } from "../frame.js" */

/** @typedef {Pick<Context, "texts" | "navigate" | "fail">} Page the part of the page that creates notes */
/** @typedef {{ environment: string, name: string }} Owner */
/** @typedef {{ title: string, text: string, url: string, tag?: string }} Words */
/** @typedef {Words & Partial<Owner>} SharedText with the receiving account once it is known */

const shared = "notes-shared";

/**
 * Handles the address as soon as a user's notes are open. Removes the request from the address at once.
 * @param {Page & Pick<Context, "device" | "events" | "notify">} page
 * @param {() => Account | null} open the account that is open
 */
export function arrive(page, open) {
    const { texts, device, events, navigate, notify, fail } = page;
    const parameters = new URLSearchParams(location.search);
    if (location.search) history.replaceState(history.state, "", `/${location.hash}`);
    if (parameters.get("shared") === "lost") notify(texts.say("offline.lost"), undefined, "failure");
    let wish = parameters.get("do");
    /** The account that was open when the shared texts arrived. @type {Owner | null} */
    let owner = device.current("");
    if (owner) assignOwner(owner);
    /** @type {Account | null} */
    let offered = null;
    events.addEventListener("account", async () => {
        const account = open();
        const place = wish;
        wish = null;
        if (place === "new" && account) openEmptyNote(navigate, account).catch(fail);
        else if (place === "new" || place === "search") navigate({ place }, true);
        if (!account?.isOpen || account === offered) return;
        offered = account;
        const before = owner ?? account;
        owner = account;
        await assignOwner(before);
        await offerShared(page, account);
    });
}

/**
 * Creates the note that an address requests. A note with text requires the user's consent.
 * @param {Page} page
 * @param {Account} account
 * @param {Record<string, string>} query the query of the address
 * @param {() => Promise<void>} arrange shows the notes
 */
export async function createRequestedNote(page, account, query, arrange) {
    const { title = "", body = "", text = "", url = "", tag = "" } = query;
    const wish = { title, text: [body, text].filter(Boolean).join("\n"), url, tag };
    if (Object.values(wish).every((words) => words === "")) {
        await openEmptyNote(page.navigate, account).catch((failure) => {
            page.fail(failure);
            return arrange();
        });
        return;
    }
    await arrange();
    // Not awaited, so that the notes open behind the dialog.
    confirmCreation(page.texts, account, wish)
        .then((choice) => (choice === "make" ? createNote(page.navigate, account, wish) : undefined))
        .catch(page.fail);
}

/**
 * Shows an empty note, if possible a recent one, because any site can link to this address repeatedly.
 * @param {Page["navigate"]} navigate
 * @param {Account} account
 */
async function openEmptyNote(navigate, account) {
    const { first } = await account.engine.list({ place: "list", order: "created", limit: 20, first: 20 });
    const empty = first.find(({ title, excerpt, tags, pinned }) => !(title || excerpt || tags.length || pinned));
    if (empty) navigate({ note: empty.id }, true);
    else await createNote(navigate, account, {}, true);
}

/**
 * Creates a note and shows it.
 * @param {Page["navigate"]} navigate
 * @param {Account} account
 * @param {Partial<Words>} words
 * @param {boolean} [replace] true to replace the current entry of the browser history
 */
export async function createNote(navigate, { engine }, { title = "", text = "", url = "", tag = "" }, replace) {
    // Many apps include the address in the text as well.
    const body = text.includes(url) ? text : [text, url].filter(Boolean).join("\n");
    const { id } = await engine.create({ title, body, tags: tag ? [tag] : [] });
    // Show a note with a tag among the notes with that tag.
    navigate(tag ? { place: "tags", tag, note: id } : { note: id }, replace);
}

/**
 * Asks whether to create a note from a text. Returns `wait` if the dialog or the account closes.
 * @param {Page["texts"]} texts
 * @param {Account} account the future owner of the note
 * @param {Words} words
 * @returns {Promise<"make" | "discard" | "wait">}
 */
function confirmCreation(texts, { name, environment, closing }, { title, text, url, tag = "" }) {
    if (closing.signal.aborted) return Promise.resolve("wait");
    const rows = Object.entries({ title, text: text.replaceAll("\r\n", "\n"), address: url, tag });
    return new Promise((answer) => {
        const dialog = confirm(texts, {
            title: texts.say("offline.ask"),
            body: [
                h("p", {}, texts.parts("offline.ask.lead", { name, environment })),
                h(
                    "dl",
                    { class: "words" },
                    rows
                        .filter(([, value]) => value !== "")
                        .map(([row, value]) =>
                            h("div", {}, h("dt", {}, texts.say(`offline.ask.${row}`)), h("dd", {}, userText(value))),
                        ),
                ),
            ],
            answers: [
                { label: texts.say("offline.discard"), run: () => answer("discard") },
                { label: texts.say("offline.make"), kind: "primary", run: () => answer("make") },
            ],
            onClose: () => answer("wait"),
        });
        closing.signal.addEventListener("abort", () => dialog.close(), { once: true });
    });
}

/**
 * Offers the texts that were shared with an account one by one. A text whose note cannot be created waits.
 * @param {Page} page
 * @param {Account} account
 */
async function offerShared(page, account) {
    for (const [request, text] of await sharedTexts()) {
        if (!belongsTo(account, text)) continue;
        const choice = await confirmCreation(page.texts, account, text);
        if (choice === "wait") return;
        try {
            await navigator.locks.request(shared, async () => {
                const cache = await caches.open(shared);
                // Another tab may have offered the text too.
                if (!(await cache.match(request))) return;
                if (choice === "make") await createNote(page.navigate, account, text);
                await cache.delete(request);
            });
        } catch (failure) {
            return page.fail(failure);
        }
    }
}

/** Assigns shared texts without an owner to an account. @param {Owner} owner */
async function assignOwner({ environment, name }) {
    // Two tabs may start at once.
    await navigator.locks.request(shared, async () => {
        for (const [request, text] of await sharedTexts()) {
            if (text.name !== undefined) continue;
            const cache = await caches.open(shared);
            await cache.put(request, new Response(JSON.stringify({ ...text, environment, name })));
        }
    });
}

/** Removes the texts shared with an account whose notes leave this device. @param {Owner} owner */
export async function forgetShared(owner) {
    for (const [request, text] of await sharedTexts())
        if (belongsTo(owner, text)) await (await caches.open(shared)).delete(request);
}

/** @returns {Promise<[Request, SharedText][]>} */
async function sharedTexts() {
    if (!globalThis.caches || !(await caches.has(shared))) return [];
    const cache = await caches.open(shared);
    /** @type {[Request, SharedText][]} */
    const found = [];
    for (const request of await cache.keys()) {
        const text = await (await cache.match(request))?.json();
        if (text) found.push([request, text]);
    }
    return found;
}

/**
 * @param {Owner} owner
 * @param {SharedText} text
 */
function belongsTo({ environment, name }, text) {
    return text.environment === environment && text.name === name;
}
