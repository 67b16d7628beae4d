import assert from "node:assert/strict";
import { disabled, hostOf, readKeys } from "../../../Sources/Web/console/state/hooks.js";

Deno.test("only the host of a receiver is shown", () => {
    assert.equal(hostOf("https://chat.example.com:8443/hooks/s3cr3t?x=1"), "chat.example.com:8443");
    assert.equal(hostOf("no address"), "no address");
});

Deno.test("keys are separated by spaces or commas, and wrong ones are named", () => {
    assert.deepEqual(readKeys(" pay.*  app.theme,pay.* "), { keys: ["app.theme", "pay.*"], wrong: [] });
    assert.deepEqual(readKeys("ä pay* 9"), { keys: ["pay*"], wrong: ["ä", "9"] });
    assert.deepEqual(readKeys(""), { keys: [], wrong: [] });
});

Deno.test("disabled hooks are those with a reason", () => {
    const hooks = /** @type {any[]} */ ([{ disabled_reason: null }, { disabled_reason: "gone" }]);
    assert.deepEqual(disabled(hooks), [hooks[1]]);
});
