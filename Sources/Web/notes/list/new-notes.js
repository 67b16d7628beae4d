/** The menu for notes that begin with a text: the note of today, and notes made from templates. */
import { menu, openDialog } from "../../shared/dialog.js";
import { button, h, userText } from "../../shared/dom.js";
import { iconButton } from "../icons.js";

/** @import { Context } from "../frame.js" */
/** @import { Summary } from "../engine/types.js" */
/** @typedef {Pick<Context, "engine" | "environment" | "account" | "texts" | "navigate" | "fail">} Page */

/** The tag of notes that are templates. */
const templateTag = "template";
const maxTemplates = 200;

/** @param {Context} context */
export function newNotesMenu(context) {
    const { texts } = context;
    return menu(
        iconButton(texts, "down", "list.new.more", () => {}),
        () => [
            button(texts.say("list.new.today"), () => openDailyNote(context), "quiet"),
            button(texts.say("list.new.template"), () => chooseTemplate(context), "quiet"),
        ],
    );
}

/**
 * Returns the id of an account's note of a day, so that two devices without a connection make the same note: a UUID of
 * version 8 (RFC 9562, section 5.8), made from SHA-256.
 * @param {Pick<Context, "environment" | "account">} account
 * @param {Date} day a time of the day, in the user's time zone
 * @param {number} removed the number of notes of the day that were removed for good; the server refuses their ids
 */
export async function dailyId({ environment, account }, day, removed = 0) {
    const date = [day.getFullYear(), day.getMonth() + 1, day.getDate(), ...(removed > 0 ? [removed] : [])];
    const name = new TextEncoder().encode(JSON.stringify(["daily note", environment, account, ...date]));
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", name)).subarray(0, 16);
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Opens the note of today, and makes it if there is none. @param {Page} context */
export async function openDailyNote(context) {
    const { engine, texts, navigate, fail } = context;
    try {
        const today = new Date(texts.now());
        const title = new Intl.DateTimeFormat(texts.locale, { dateStyle: "full" }).format(today);
        for (let removed = 0; ; removed += 1) {
            const id = await dailyId(context, today, removed);
            // Makes no note if there is one, or if the id is that of a note that was removed for good.
            await engine.createAll([{ id, title }]);
            if (await engine.note(id)) return navigate({ note: id });
        }
    } catch (failure) {
        fail(failure);
    }
}

/** Shows the templates, and makes a note from the chosen one. @param {Page} context */
async function chooseTemplate(context) {
    const { engine, texts, fail } = context;
    try {
        const { first } = await engine.list({
            ...{ place: "list", tag: templateTag, order: "title" },
            ...{ limit: maxTemplates, first: maxTemplates },
        });
        const dialog = openDialog(texts, {
            title: texts.say("list.new.template.title"),
            body:
                first.length === 0
                    ? h("p", {}, texts.parts("list.new.template.none", { tag: templateTag }))
                    : h(
                          "ul",
                          { class: "outline" },
                          first.map((template) =>
                              h(
                                  "li",
                                  {},
                                  button(
                                      template.title === "" ? texts.say("editor.untitled") : userText(template.title),
                                      () => {
                                          dialog.close();
                                          createFrom(context, template);
                                      },
                                      "quiet",
                                  ),
                              ),
                          ),
                      ),
        });
    } catch (failure) {
        fail(failure);
    }
}

/**
 * Makes a note with the text and the other tags of a template, and shows it.
 * @param {Page} context
 * @param {Summary} template
 */
async function createFrom({ engine, navigate, fail }, { id }) {
    try {
        const template = await engine.note(id);
        if (!template) return;
        const { title, body, tags } = template.text;
        const made = await engine.create({ title, body, tags: tags.filter((tag) => tag !== templateTag) });
        navigate({ note: made.id });
    } catch (failure) {
        fail(failure);
    }
}
