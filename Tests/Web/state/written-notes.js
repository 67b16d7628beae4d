/** Realistic notes in several scripts, for tests and benchmarks of lists and searches. */
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";

const titles = [
    "Groceries",
    "Saturday’s market",
    "Einkaufen für Großmutter",
    "Überraschung zum Geburtstag",
    "Straßenbahn und Öffnungszeiten",
    "Crème brûlée",
    "東京の旅行メモ",
    "买东西",
    "قائمة المشتريات",
    "רשימת קניות",
    "Список покупок",
    "🍎 Apples & pears",
    "Meeting with Zoë",
    "TODO: release 2.10",
    "회의 기록",
    "",
];

const lines = [
    "- milk, two bottles",
    "- bread (the dark one)",
    "* [ ] call the landlord about the heating",
    "* [x] pay the electricity bill",
    "Remember to water the plants while they are away.",
    "The train leaves at 7:42 from platform 3; change in Köln.",
    "Die Größe der Fläche prüfen, bevor wir bestellen.",
    "Straße gesperrt bis Ende März, Umleitung über die Brücke.",
    "Bitte Äpfel, Möhren und Käse mitbringen!",
    "# Ideas",
    "Wi-Fi: guest / s3cr3t-Pa55word",
    "See https://example.org/recipes?page=2#soup for the recipe.",
    "新宿で会う。切符は2枚、カメラを忘れない。",
    "牛奶、面包和鸡蛋,明天早上八点之前。",
    "تذكّر شراء الخبز والحليب قبل يوم الجمعة",
    "אל תשכח לקנות חלב",
    "Не забыть молоко и хлеб.",
    "Ο καφές στην Οδό Ερμού",
    "우유와 빵을 사다",
    "👩‍👩‍👧 dinner at eight 🎉",
    "C++ or Swift? Ask Łukasz and Søren.",
    "don’t forget the milkman’s bill",
    "    let total = items.reduce(0, +)",
    "> A quiet mind is richer than a crown.",
];

const tags = ["work", "home", "two words", "Büro", "旅行", "عمل", "🍎", "later"];

/** Search words: complete, incomplete, and without a match. */
export const sought = [
    ..."milk mil m bread landlord größe grosse STRASSE kö koln äpfel apfel 東京 京 カメラ 面包 الخبز חלב молоко ΟΔΟΣ 우유".split(
        " ",
    ),
    ..."🎉 c++ łukasz lukasz soren don't dont 2 7:42 wi-fi fi zebra e a the brulee tag:work -milk -mil TODO or or wi- milk, tar.gz".split(
        " ",
    ),
    '"dark one"',
    'tag:"two words"',
    "-tag:work",
];

/**
 * @param {(below: number) => number} random
 * @param {number} length the least length of the body
 */
export function text(random, length) {
    const body = [];
    for (let size = 0; size < length; ) {
        const line = lines[random(lines.length)];
        body.push(line);
        size += line.length + 1;
    }
    const own = new Set(Array.from({ length: random(4) }, () => tags[random(tags.length)]));
    return {
        title: titles[random(titles.length)],
        body: body.join("\n"),
        tags: [...own].sort((one, other) => (one < other ? -1 : 1)),
        pinned: random(20) === 0,
    };
}

/**
 * @param {(below: number) => number} random
 * @param {number} number
 * @param {number} [length] the least length of the body
 */
export function record(random, number, length = random(400)) {
    const createdAt = 1_700_000_000_000 + random(1000) * 60_000;
    const times = { createdAt, updatedAt: createdAt + random(1000) * 60_000 };
    const made = newRecord(`n${number}`, text(random, length), times);
    if (random(8) === 0) made.place = "trash";
    if (random(4) > 0) made.position = `${String.fromCharCode(97 + random(26))}${random(100)}`;
    return made;
}
