/**
 * The entry point of the notes: starts the frame. Overview for authors of new parts:
 *
 * - **A part** is a module with `export function open(context)`, which returns a `Part`: `{ element, show?(route),
 *   close?(), flush?() }`. `panes.js` lists the parts: sidebar and list exist as long as an account is open; main shows
 *   one part at a time, loaded at its first use. `show` is called when the route changes and the part stays; otherwise
 *   the part is opened again. `close` and `flush` may return a promise, which the frame awaits so that the user's text
 *   is saved; after `flush` the part stays open.
 * - **The context** (`frame.js`) has `engine`, `api`, `texts`, `environment` and `account` (names), `session` (null
 *   while signed out), `route` (always the current one), `navigate` (a fragment, or the members of a route that differ
 *   from the environment's start), `notify`, `say`, `fail`, `bar` (a bar above all panes until it is removed), `keys`,
 *   `settings`, `unsaved`, `device`, and `signal`, aborted when the part closes; and for the settings `installing`,
 *   `takeFiles`, `events`, `looks`, `signInAgain` and `signOut`.
 * - **Notes** come from `context.engine` only, which lives in a worker; the page itself opens no database.
 * - **Texts** are in `texts/<part>.en.js` and `.de.js`, joined by `texts/en.js` and `texts/de.js`; keys begin with the
 *   part's name. `texts.say(key, values)` fills slots and chooses plurals by `n`.
 * - **Styles**: colours and lengths are the custom properties of `shared/base.css` and `frame.css`; each part has its
 *   own style sheet, which `style.css` imports. Use logical properties only, because texts run in both directions.
 * - The content security policy forbids inline scripts, inline styles and HTML from strings. Create elements by `h()`
 *   of `shared/dom.js`, and show users' texts in lists and titles by `userText()`.
 */
// Import first, because the worker's start takes longest.
import "./start.js";
import { API } from "../shared/api.js";
import { Settings } from "../shared/settings.js";
import { DeviceAccounts } from "./account/accounts.js";
import { Engine } from "./engine/client.js";
import { Frame } from "./frame.js";
import { arrive } from "./offline/arrival.js";
import { Updates } from "./offline/updates.js";
import { takeWorker } from "./start.js";
import { applyTextLooks } from "./text-looks.js";

const now = () => Date.now();
/** @param {number} milliseconds */
const sleep = (milliseconds) => /** @type {Promise<void>} */ (new Promise((done) => setTimeout(done, milliseconds)));
const settings = new Settings(localStorage);
const frame = new Frame({
    api: new API(fetch, sleep),
    settings,
    device: new DeviceAccounts(localStorage),
    openEngine: (environment, account) => new Engine(takeWorker(environment, account)),
    now,
});
applyTextLooks(settings);
document.body.append(frame.element);
const { texts, device, navigate, showError: fail, flush, bars, notices } = frame;
const { notify } = notices;
arrive({ texts, device, events: frame, navigate, notify, fail }, () => frame.account);
new Updates({ texts, notify, bar: bars.set, flush, events: frame }, navigator.serviceWorker).start();
// Not awaited, because a part that is loaded later and imports this module would wait for it in a cycle.
frame.start();
