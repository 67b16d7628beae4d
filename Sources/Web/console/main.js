/**
 * The entry point of the console. A guide for adding a screen:
 *
 * - **Modules** run in browsers without a build. For deployment (`deploy/lib/pages.sh`), modules that load together are
 *   bundled, and so are style sheets. One file compresses best, so all modules that the entries need are one file. The
 *   other screens and languages are loaded on demand. Imports are relative and end in `.js`; `../shared/` is shared with other pages. The content
 *   security policy forbids inline scripts, style attributes and HTML from strings: create elements with `h()` of
 *   `shared/dom.js`, show user content with `userText()`, set lengths with `element.style.setProperty`.
 * - **A screen** is a module `screens/<name>.js` with `export function open(context)`, which returns a `View`:
 *   `{ element, show?(route), close?() }`. `screens/index.js` lists its name, its required scope and its key; its tab,
 *   or its item in the menu beside the tabs, shows the text `screen.<name>`. `show` is called when the route changes inside the screen; without `show` the
 *   screen is opened again. `context.signal` is aborted when the screen closes, so `addEventListener(…, { signal })`
 *   needs no clean-up. The other screens, and the page of an empty environment with the code for apps
 *   (`screens/first-minutes.js`), are in parts that are loaded on demand: `screens/flags-screen.js` and
 *   `screens/*-part.js`, whose texts (`texts/<part>.*.js`) are added to the others then. An idle page loads all parts.
 * - **The context** (`frame.js`) has `api`, `texts`, `environment` (with its session's scopes), `environments`,
 *   `workspace` (the environment's entries and draft, updated by its stream: event `change`), `route`, `navigate`,
 *   `notify`, `say`, `showError`, `messageOf`, `signInAgain`, `signOut`, `keys` and `signal`.
 * - **Folders** import from those before them: `state`, `controls` (parts of screens), `access` (sign-in, invitations
 *   and passkeys, a part of their own), `changes` (differences, forecasts and reviews), `entries` (the list and the form
 *   of an entry), `screens`.
 * - **State** is in `state/*.js`: plain values and functions without a page, tested by `deno test Tests/Web/state`.
 * - **Texts** are in `texts/en.js` and `texts/de.js`, and those of a part in its own module. `texts.say(key, values)` fills slots and
 *   selects plurals by `n`; `texts.parts` also accepts elements. Times and sizes: `texts.time`, `relative`, `size`,
 *   `number`.
 * - **Calls** use `context.api` (`shared/api.js`), which throws a `Problem` or `Unreachable`; `context.showError` shows
 *   either. The members `value`, `before` and `after` of an `answer.document` are JSON *texts*, so that numbers keep
 *   their digits; `shared/json.js` formats them. `curlButton` of `controls/controls.js` shows a call as a curl line.
 * - **Dialogs** are opened with `openDialog` of `shared/dialog.js`. Shortcuts are registered with `context.keys.add`
 *   and listed in the help. Tab and Escape keep their usual meaning; a single letter is a shortcut only outside of
 *   fields.
 * - **Looks**: lengths and colours are the custom properties of `shared/base.css`; a class names the thing it styles.
 *   The rules of a screen are in its own style sheet, imported by `console.css`.
 */
// Import the texts first: the bundle compresses better if their keys stand near the modules that use them.
import "./texts/en.js";
// Import the modules that several parts share: esbuild would write a file for each set of parts.
import "../shared/save-file.js";
import "./controls/control-rows.js";

import { API } from "../shared/api.js";
import { Settings } from "../shared/settings.js";
import { Frame } from "./frame.js";

const now = () => Date.now();
/** @param {number} milliseconds */
const sleep = (milliseconds) => /** @type {Promise<void>} */ (new Promise((done) => setTimeout(done, milliseconds)));

/** @type {Map<string, Promise<Response>>} the requests that preload.js has sent */
const preloaded = /** @type {any} */ (globalThis).preloaded;
/** @type {typeof fetch} */
const fetcher = (address, options) => {
    const path = String(address);
    const answer = preloaded.get(path);
    preloaded.delete(path);
    return answer ?? fetch(address, options);
};

const frame = new Frame({ api: new API(fetcher, sleep), settings: new Settings(localStorage), now });
document.body.append(frame.element);
// Do not await this. A module loaded on demand that imports this module would wait for it, which would be a deadlock.
frame.start();
