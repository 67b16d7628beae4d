/** What a page is opened for: a shortcut of the installed app, or a text that another app shares (see sw.js). */

/** @import { Frame } from "../frame.js" */

const shared = "notes-shared";

/**
 * Does what the address asks for, as soon as somebody's notes are open, and takes it out of the address at once.
 * @param {Frame} frame
 */
export function arrive(frame) {
    const asked = new URLSearchParams(location.search);
    if (location.search) history.replaceState(history.state, "", `/${location.hash}`);
    if (asked.get("shared") === "lost") frame.notices.notify(frame.texts.say("offline.lost"), undefined, true);
    let wish = asked.get("do");
    frame.addEventListener("account", async () => {
        if (wish === "new" || wish === "search") frame.navigate({ place: wish }, true);
        wish = null;
        await takeShared(frame);
    });
}

/**
 * Makes a note of each text that was shared; what can't be made one stays until the next time.
 * @param {Frame} frame
 */
async function takeShared(frame) {
    if (!globalThis.caches || !(await caches.has(shared))) return;
    // Two tabs may begin at once.
    await navigator.locks.request(shared, async () => {
        const cache = await caches.open(shared);
        for (const request of await cache.keys()) {
            const engine = frame.account?.engine;
            const text = await (await cache.match(request))?.json();
            if (!engine || !text) return;
            try {
                const { id } = await engine.create({ title: text.title, body: body(text) });
                await cache.delete(request);
                frame.navigate({ note: id });
            } catch (failure) {
                frame.fail(failure);
                return;
            }
        }
    });
}

/**
 * Many apps put the address into the text too.
 * @param {{ text: string, url: string }} shared
 */
function body({ text, url }) {
    return text.includes(url) ? text : [text, url].filter(Boolean).join("\n");
}
