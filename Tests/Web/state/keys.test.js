import assert from "node:assert/strict";
import { Keys, keyName } from "../../../Sources/Web/shared/keys.js";

Deno.test("a letter of another script has the name of the Latin letter on its key", () => {
    for (const [key, code, name] of [
        ["n", "KeyN", "n"],
        ["N", "KeyN", "n"],
        ["т", "KeyN", "n"],
        ["Л", "KeyK", "k"],
        ["η", "KeyH", "h"],
        ["a", "KeyQ", "a"],
        ["?", "Minus", "?"],
        ["Enter", "Enter", "Enter"],
    ])
        assert.equal(keyName({ key, code }), name, key);
});

Deno.test("a shortcut is named as on the keyboard, and as assistive technology reads it", () => {
    for (const [apple, shown, spoken] of /** @type {const} */ ([
        [false, "Ctrl ↵", "Control+Enter"],
        [true, "⌘↵", "Meta+Enter"],
    ])) {
        const keys = new Keys(/** @type {any} */ ({ addEventListener: () => {} }), apple);
        assert.equal(keys.format("Mod+Enter"), shown);
        assert.equal(keys.ariaFormat("Mod+Enter"), spoken);
    }
});

Deno.test("Option belongs to a shortcut on Apple's keyboards, and Alt to a character on others", () => {
    Object.assign(globalThis, { Element: Object });
    for (const [apple, modifier, wanted] of /** @type {const} */ ([
        [true, "metaKey", 1],
        [false, "ctrlKey", 0],
    ])) {
        const page = { activeElement: null, addEventListener: () => {}, querySelector: () => null };
        const keys = new Keys(/** @type {any} */ (page), apple);
        let count = 0;
        keys.add({ keys: "Mod+Alt+f", label: "", run: () => count++ });
        const event = { key: "ƒ", code: "KeyF", altKey: true, timeStamp: 0, composedPath: () => [] };
        keys.press(/** @type {any} */ ({ ...event, [modifier]: true, preventDefault: () => {} }));
        assert.equal(count, wanted);
    }
});

Deno.test("a list's shortcut does not work while the focus is outside the list", () => {
    Object.assign(globalThis, { Element: Object });
    /** @param {any[]} inside */
    const element = (...inside) => ({
        /** @param {any} one @returns {boolean} */
        contains: (one) => inside.some((part) => part === one || part.contains(one)),
        closest: () => null,
    });
    const row = element();
    const list = element(row);
    const other = element();
    const page = { activeElement: other, addEventListener: () => {}, querySelector: () => null };
    const keys = new Keys(/** @type {any} */ (page), false);
    let count = 0;
    keys.add({ keys: "n", label: "", run: () => count++, list: /** @type {any} */ (list) });
    for (const [focused, wanted] of [
        [other, 0],
        [row, 1],
        [element(list, other), 2],
    ]) {
        page.activeElement = /** @type {any} */ (focused);
        const event = { key: "т", code: "KeyN", timeStamp: 0, composedPath: () => [focused], preventDefault: () => {} };
        keys.press(/** @type {any} */ (event));
        assert.equal(count, wanted);
    }
});
