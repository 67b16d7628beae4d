/**
 * The notes: starts the frame. How the page is put together, for whoever adds a part:
 *
 * - **A part** is a module with `export function open(context)`, which answers a `Part`: `{ element, show?(route),
 *   close?(), flush?() }`. `panes.js` lists the parts: sidebar and list stand as long as an account is open; main
 *   shows one part at a time, loaded when it is first needed. `show` is called when the route changes and the part
 *   stays (else it is opened anew); `close` may answer a promise, and is given the time to bring to the disk what was
 *   typed, as is `flush`, after which the part stays open.
 * - **The context** (`frame.js`) has `engine`, `api`, `texts`, `environment` and `account` (names), `session` (null
 *   while nobody is signed in), `route` (always the present one), `navigate` (a fragment, or the members of a route
 *   that differ from the start of the environment), `notify`, `say`, `fail`, `bar` (a line over all panes that stays
 *   until it is taken away), `keys`, `settings`, `unsaved`, `device`, and `signal`, aborted when the part closes; and
 *   for the settings `installing`, `events`, `looks`, `signInAgain` and `signOut`.
 * - **Notes** are asked of `context.engine` alone, which lives in a worker; the page itself opens no database.
 * - **Texts** are in `texts/<part>.en.js` and `.de.js`, joined by `texts/en.js` and `texts/de.js`; keys begin with
 *   the part's name. `texts.say(key, values)` fills slots and chooses plurals by `n`.
 * - **Looks**: colours and lengths are the custom properties of `shared/base.css` and `frame.css`; a part has a
 *   style sheet of its own that `style.css` imports. Logical properties only: texts run both ways.
 * - The content security policy forbids inline scripts and styles and HTML from strings: elements are made by `h()` of
 *   `shared/dom.js`, texts by others in lists and titles are shown by `foreign()`.
 */
// First, since it starts what takes longest.
import "./start.js";
import { API } from "../shared/api.js";
import { Settings } from "../shared/settings.js";
import { DeviceAccounts } from "./account/accounts.js";
import { Engine } from "./engine/client.js";
import { Frame } from "./frame.js";
import { arrive } from "./offline/arrival.js";
import { Updates } from "./offline/updates.js";
import { takeWorker } from "./start.js";

const now = () => Date.now();
/** @param {number} milliseconds */
const sleep = (milliseconds) => /** @type {Promise<void>} */ (new Promise((done) => setTimeout(done, milliseconds)));
const frame = new Frame({
    api: new API(fetch, sleep),
    settings: new Settings(localStorage),
    device: new DeviceAccounts(localStorage),
    openEngine: (environment, account) => new Engine(takeWorker(environment, account)),
    now,
});
document.body.append(frame.element);
const { texts, device, navigate, fail, flush, bars, notices } = frame;
const { notify } = notices;
arrive({ texts, device, events: frame, navigate, notify, fail }, () => frame.account);
new Updates({ texts, notify, bar: bars.set, flush, events: frame }, navigator.serviceWorker).start();
// Not awaited: a part that is loaded later, and imports this module, would wait for it, and it for the part.
frame.start();
