/**
 * The console: starts the frame. How it is put together, for whoever adds a screen:
 *
 * - **Modules** are what browsers can run as they are; where pages are laid out (`deploy/lib/pages.sh`) those that are
 *   loaded together are put together, and style sheets likewise: all of the console but other languages is one file,
 *   since it is compressed best so. Imports are relative and end in `.js`; `../shared/` is what other pages use too. The content security policy forbids inline scripts, style attributes and HTML from
 *   strings: elements are made by `h()` of `shared/dom.js`, texts by others are shown by `foreign()`, lengths are set
 *   by `element.style.setProperty`.
 * - **A screen** is a module `screens/<name>.js` with `export function open(context)`, which answers a `View`:
 *   `{ element, show?(route), close?() }`. It is listed in `screens/index.js` with its name, the scope that it takes
 *   and its key, and gets a tab named by the text `screen.<name>`. `show` is called when the route changes inside the
 *   screen (else it is opened anew); `context.signal` is aborted when it closes, so that
 *   `addEventListener(…, { signal })` needs no clean-up.
 *   Flags are loaded when they are opened: `screens/flags*.js`, `flags.css` (whose address `index.html` names) and
 *   `texts/flags.*.js`, which the screen adds to the others.
 * - **The context** (`frame.js`) has `api`, `texts`, `environment` (with its session's scopes), `environments`,
 *   `workspace` (the environment's entries and draft, kept fresh by its stream: event `change`), `route`, `navigate`,
 *   `notify`, `say`, `fail`, `wording`, `freshen`, `signOut`, `keys` and `signal`.
 * - **State** is in `state/*.js`: plain values and functions without a page, tested by `deno test Tests/Web/state`.
 * - **Texts** are in `texts/en.js` and `texts/de.js`, a section per screen; `texts.say(key, values)` fills slots and
 *   chooses plurals by `n`, `texts.parts` takes elements too. Times and sizes: `texts.time`, `relative`, `size`,
 *   `number`.
 * - **Calls** go through `context.api` (`shared/api.js`): it throws a `Problem` or `Unreachable`, which `context.fail`
 *   shows. Members `value`, `before` and `after` of an `answer.document` are JSON *texts*, so that digits survive:
 *   `shared/json.js` shows them. `curlButton` of `screens/parts.js` shows a call as a curl line.
 * - **Dialogs** are `openDialog` of `shared/dialog.js`; keys are registered with `context.keys.add` and listed by the help.
 *   Tab and Escape work as everywhere; a single letter is a key only outside of fields.
 * - **Looks**: lengths and colours are the custom properties of `shared/base.css`; a class names what something is. A
 *   screen's own rules stand in a style sheet of its own, imported by `console.css`.
 */
// First, so that in the one file that is made of all modules the keys of texts stand near to those who use most of them:
// it is compressed better so.
import "./texts/en.js";

import { API } from "../shared/api.js";
import { Settings } from "../shared/settings.js";
import { Frame } from "./frame.js";

const now = () => Date.now();
/** @param {number} milliseconds */
const sleep = (milliseconds) => /** @type {Promise<void>} */ (new Promise((done) => setTimeout(done, milliseconds)));
/** @type {(from: number, to: number) => number} */
const random = (from, to) => from + Math.random() * (to - from);

/** @type {Map<string, Promise<Response>>} what begin.js asked for */
const asked = /** @type {any} */ (globalThis).asked;
/** @type {typeof fetch} */
const fetcher = (address, options) => {
    const path = String(address);
    const answer = asked.get(path);
    asked.delete(path);
    return answer ?? fetch(address, options);
};

const frame = new Frame({ api: new API(fetcher, sleep), settings: new Settings(localStorage), now, random });
document.body.append(frame.element);
// Not awaited: a part that is loaded later, and imports this module, would wait for it, and it for the part.
frame.start();
