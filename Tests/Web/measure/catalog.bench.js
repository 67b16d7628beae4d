// Benchmarks of first lists and searches of 10,000 notes of 1 KB: deno bench --no-check Tests/Web/measure
import { Catalog } from "../../../Sources/Web/notes/engine/catalog.js";
import { random } from "../state/checks.js";
import { record } from "../state/written-notes.js";

const next = random(1);
const notes = Array.from({ length: 10_000 }, (_, at) => record(next, at, 1000));

function warm() {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    catalog.list({ place: "list", order: "edited" });
    catalog.warm(60_000, () => performance.now());
    return catalog;
}

Deno.bench("load and list by hand", (bench) => {
    const catalog = new Catalog({ language: "en" });
    bench.start();
    catalog.load(notes);
    catalog.list({ place: "list", order: "hand" });
    bench.end();
});

Deno.bench("list by title, the first time", (bench) => {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    bench.start();
    catalog.list({ place: "list", order: "title" });
    bench.end();
});

Deno.bench("fold all texts", { n: 5 }, (bench) => {
    const catalog = new Catalog({ language: "en" });
    catalog.load(notes);
    bench.start();
    catalog.warm(60_000, () => performance.now());
    bench.end();
});

for (const words of ["m", "e", "milk", "zebra", "straße", "東京", "bread milk", "tag:work milk", "milk -bread"]) {
    Deno.bench(`search ${words}`, (bench) => {
        catalog.apply([]);
        bench.start();
        catalog.list({ place: "list", words, order: "hand" });
        bench.end();
    });
}

Deno.bench("search milk, typed letter by letter, the slowest of them", (bench) => {
    catalog.apply([]);
    catalog.list({ place: "list", words: "m", order: "hand" });
    bench.start();
    catalog.list({ place: "list", words: "mi", order: "hand" });
    bench.end();
});

Deno.bench("20 summaries of a search", (bench) => {
    const ids = catalog.list({ place: "list", words: "milk", order: "hand" }).ids.slice(0, 20);
    bench.start();
    catalog.summaries(ids, "milk");
    bench.end();
});

Deno.bench("an edit, then the list by title", (bench) => {
    catalog.list({ place: "list", order: "title" });
    const changed = record(next, next(10_000), 1000);
    bench.start();
    catalog.apply([changed]);
    catalog.list({ place: "list", order: "title" });
    bench.end();
});

const catalog = warm();
