import { equal } from "./checks.js";

Deno.test("an element takes more children than a call takes arguments", async () => {
    /** @type {any} */ (globalThis).Node ??= class {};
    const { fill } = await import("../../../Sources/Web/shared/dom.js");
    let count = 0;
    const add = (/** @type {unknown[]} */ ...children) => {
        count += children.length;
    };
    const element = /** @type {any} */ ({ append: add, replaceChildren: add });
    fill(element, null, [Array(300_000).fill("x"), [["y"], false]]);
    equal(count, 300_001);
});
