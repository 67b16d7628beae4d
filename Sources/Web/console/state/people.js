/** People: who acts with operator scopes, their names and roles. */

/** @typedef {"viewer" | "editor" | "approver" | "admin"} Role */
/**
 * @typedef {object} Person an element of `GET /people`
 * @property {string} id
 * @property {string} issuer
 * @property {string} subject
 * @property {string | null} name
 * @property {Role | null} role null if the scopes are no role's
 * @property {"claim" | "invitation" | "token"} source
 * @property {string[]} scopes
 * @property {string} first_seen_at
 * @property {string | null} last_seen_at null for the owner of a token who has not signed in
 * @property {string | null} removed_at
 * @property {number} passkeys
 * @property {{ id: string, label: string, expires_at: string | null, last_used_at: string | null }[]} tokens
 */

/** The roles, each with more permissions than the one before. @type {Role[]} */
export const roles = ["viewer", "editor", "approver", "admin"];

/**
 * Returns the name of a session's person, or of its API token.
 * @param {{ name: string, person?: { name: string | null } | null }} session
 */
export const personName = ({ name, person }) => person?.name || name;

/**
 * Returns the name of the author of a release or of another record.
 * @param {{ author: string, author_name?: string | null }} record
 */
export const authorName = ({ author, author_name: name }) => name || author;

/**
 * @typedef {Pick<Person, "issuer" | "subject">} Identity
 * @param {Identity | null | undefined} one @param {Identity | null | undefined} other
 */
export const samePerson = (one, other) => one?.issuer === other?.issuer && one?.subject === other?.subject;

/** @param {Pick<Person, "name" | "subject">} person */
export const nameOf = ({ name, subject }) => name || subject;
