-- Notes: accounts, their notes, every past text, and the actions that have taken effect.
-- Every table has the account first in its key, so that accounts can be spread over several servers one day.
-- The account inside the full-text index needs a GIN operator class.
create extension if not exists btree_gin;

-- One row per user. Every action locks it first, so the actions of an account commit in the order of their revisions.
create table accounts (
    id bigint generated always as identity primary key,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    word text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)
        check (word ~ '^[a-z0-9]{8}$'),
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    revision bigint not null default 0 check (revision >= 0),
    updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    oldest_revision bigint not null default 0 check (oldest_revision between 0 and revision),
    notes integer not null default 0 check (notes >= 0),
    bytes bigint not null default 0 check (bytes >= 0),
    unique (issuer, subject)
);
comment on column accounts.word is 'Tells this account from one of the same user that was erased before; part of its cursors.';
comment on column accounts.updated_at is 'Strictly increasing with the revision.';
comment on column accounts.oldest_revision is 'Every change after this revision is kept.';
comment on column accounts.notes is 'How many notes there are, those in the trash included.';
comment on column accounts.bytes is 'The UTF-8 of their titles and bodies.';
create index accounts_updated_at on accounts (updated_at);

create table notes (
    account_id bigint not null references accounts,
    id text collate "C" not null check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    title text not null,
    body text not null,
    position text collate "C" not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    revision bigint not null check (revision > 0),
    text_revision bigint not null check (text_revision between 1 and revision),
    deleted_at timestamptz(3),
    purged_at timestamptz(3),
    -- A text search vector has at most 1 MB, so very long bodies are searched by their beginning.
    search tsvector not null generated always as (
        setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', left(body, 100000)), 'B')
    ) stored,
    primary key (account_id, id),
    check (purged_at is null or (title = '' and body = ''))
);
comment on column notes.revision is 'That of the account at the last change of anything here.';
comment on column notes.text_revision is 'That of the account at the last change of title or body.';
comment on column notes.deleted_at is 'When it went into the trash.';
comment on column notes.purged_at is 'When it was removed for good; the row is a tombstone.';
create index notes_revision on notes (account_id, revision);
create index notes_updated_at on notes (account_id, updated_at);
create index notes_position on notes (account_id, position) where purged_at is null;
create index notes_search on notes using gin (account_id, search) where deleted_at is null and purged_at is null;

-- History: what each action did to a note, with the texts that it wrote.
create table note_revisions (
    account_id bigint not null,
    note_id text collate "C" not null,
    revision bigint not null check (revision > 0),
    action text not null
        check (action in ('createNote', 'updateNote', 'moveNote', 'deleteNote', 'restoreNote', 'purgeNote')),
    action_id text collate "C",
    title text,
    body text,
    recorded_at timestamptz(3) not null,
    primary key (account_id, note_id, revision),
    foreign key (account_id, note_id) references notes
);
comment on column note_revisions.title is 'Null where the action left it as it was; so for the body.';

-- The actions that have taken effect, so that none does twice.
create table note_actions (
    account_id bigint not null references accounts,
    action_id text collate "C" not null check (octet_length(action_id) between 1 and 128),
    note_id text collate "C" not null,
    status text not null check (status in ('applied', 'merged')),
    revision bigint not null,
    restored boolean not null,
    recorded_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    primary key (account_id, action_id)
);
comment on column note_actions.revision is 'That of the note when the action had taken effect.';

-- The workers change rows and nothing else.
grant select, insert, update, delete on accounts to almanac_worker;
grant select, insert, update, delete on notes to almanac_worker;
grant select, insert, delete on note_revisions to almanac_worker;
grant select, insert, delete on note_actions to almanac_worker;
