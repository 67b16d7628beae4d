import { address, apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal } from "./checks.js";

const file = Deno.env.get("ALMANAC_TEXTMERGE") ?? "";
const base = "Milk, eggs and bread\n- [ ] water the plants 🌱\n".repeat(20);
const theirs = base.replace("eggs", "six eggs");
const mine = `${base}مفتاح\n`;
const both = theirs + mine.slice(base.length);

/** Returns a TextMerge, the memory of each of its instances, and a function that observes new instances. */
async function watched() {
    const original = WebAssembly.Instance;
    /** @type {WebAssembly.Memory[]} */
    const memories = [];
    const seen = class extends original {
        /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
        constructor(module, imports) {
            super(module, imports);
            memories.push(/** @type {WebAssembly.Memory} */ (this.exports.memory));
        }
    };
    /** @template T @param {() => T} body */
    const watching = (body) => {
        WebAssembly.Instance = seen;
        try {
            return body();
        } finally {
            WebAssembly.Instance = original;
        }
    };
    const module = new WebAssembly.Module(Deno.readFileSync(file));
    return { textmerge: await watching(() => load(module)), memories, watching };
}

/** Corrupts all pointers, so that the next call traps. @param {WebAssembly.Memory} memory */
const spoil = (memory) => new Uint8Array(memory.buffer).fill(0xff);

Deno.test("a trap is replaced by a new instance, which gives the answer", async () => {
    const { textmerge, memories, watching } = await watched();
    const merged = () => apply(mine, textmerge.merge(base, theirs, mine).fromMine);
    equal([watching(merged), memories.length], [both, 1]);
    spoil(memories[0]);
    equal([watching(merged), memories.length], [both, 2]);
    equal([watching(merged), memories.length], [both, 2]);
    equal(apply(base, textmerge.diff(base, theirs)), theirs);
});

Deno.test("what traps twice is told, and what comes next has an instance of its own", async () => {
    const { textmerge, memories, watching } = await watched();
    watching(() => textmerge.diff(base, theirs));
    spoil(memories[0]);
    const push = memories.push;
    // Corrupt each instance as soon as it is created.
    memories.push = (/** @type {WebAssembly.Memory[]} */ ...more) => {
        more.forEach(spoil);
        return push.apply(memories, more);
    };
    let told = "nothing";
    watching(() => {
        try {
            textmerge.diff(base, theirs);
        } catch (failure) {
            told = /** @type {Error} */ (failure).constructor.name;
        }
    });
    equal([told, memories.length], ["RuntimeError", 3]);
    memories.push = push;
    equal(
        watching(() => apply(base, textmerge.diff(base, theirs))),
        theirs,
    );
    equal(memories.length, 4);
});

Deno.test("a lone surrogate is refused before it reaches the module, and costs no instance", async () => {
    const { textmerge, memories, watching } = await watched();
    let told = "nothing";
    watching(() => {
        try {
            textmerge.merge(base, "\ud800", mine);
        } catch (failure) {
            told = /** @type {Error} */ (failure).constructor.name;
        }
    });
    equal([told, memories.length], ["TypeError", 1]);
});

Deno.test("memory that long texts took is given back", async () => {
    const { textmerge, memories, watching } = await watched();
    const long = base.repeat(4000);
    equal(
        watching(() => apply(long, textmerge.diff(long, `${long}!`))),
        `${long}!`,
    );
    equal(memories.length, 2);
});

Deno.test("the module is looked for beside its sources and beside what is laid out of them", () => {
    equal(address.endsWith("/Sources/Web/notes/text/textmerge.wasm"), true);
});
