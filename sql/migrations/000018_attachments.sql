-- Attachments: images and files in notes. Their metadata is here; their bytes are in a store outside PostgreSQL.

-- The bytes in the stores of this environment. A row is written after its bytes, and removed before them.
create table blobs (
    hash bytea primary key check (octet_length(hash) = 32),
    bytes bigint not null check (bytes > 0),
    store text not null check (store in ('folder', 's3')),
    stored_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
comment on column blobs.hash is 'The SHA-256 of the bytes, which names them in the store.';

-- An id is unique per account, and never used again after its removal.
create table attachments (
    account_id bigint not null references accounts on delete cascade,
    id text collate "C" not null check (id ~ '^[a-z2-7]{26}$'),
    hash bytea not null check (octet_length(hash) = 32),
    bytes bigint not null check (bytes > 0),
    type text not null,
    name text not null,
    width integer check (width between 1 and 65535),
    height integer check (height between 1 and 65535),
    preview_hash bytea check (octet_length(preview_hash) = 32),
    preview_bytes integer check (preview_bytes > 0),
    preview_is_stored boolean not null default false,
    revision bigint check (revision > 0),
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    unused_since timestamptz(3),
    removed_at timestamptz(3),
    primary key (account_id, id),
    check ((preview_hash is null) = (preview_bytes is null)),
    check (preview_hash is not null or not preview_is_stored),
    check (removed_at is null or revision is not null)
);
comment on column attachments.hash is 'As declared; the bytes are stored if revision is set and removed_at is not.';
comment on column attachments.type is 'As declared, and believed by nobody; so are width and height.';
comment on column attachments.revision is 'That of the account when the file or a later preview was stored, or the attachment removed.';
comment on column attachments.unused_since is 'When the hourly pass found that no text, no note in the trash and no kept past text names it.';
create index attachments_revision on attachments (account_id, revision) where revision is not null;
create index attachments_receiving on attachments (account_id)
    where removed_at is null and (revision is null or (preview_hash is not null and not preview_is_stored));
create index attachments_hash on attachments (hash) where removed_at is null;
create index attachments_preview_hash on attachments (preview_hash) where removed_at is null and preview_hash is not null;
create index attachments_unused_since on attachments (unused_since) where removed_at is null;

-- The attachments that texts name. No foreign key: a text may name an id that is not declared yet.
create table note_attachments (
    account_id bigint not null references accounts on delete cascade,
    note_id text collate "C" not null,
    attachment_id text collate "C" not null,
    until_revision bigint check (until_revision > 0),
    primary key (account_id, note_id, attachment_id)
);
comment on column note_attachments.until_revision is
    'Null while the present text names it; otherwise the revision whose text named it no more. Earlier texts may be kept.';
create index note_attachments_attachment on note_attachments (account_id, attachment_id);

-- The received pieces of attachments that are not stored yet. A crash of PostgreSQL empties the table; uploads resume at 0.
create unlogged table upload_pieces (
    account_id bigint not null,
    attachment_id text collate "C" not null,
    part text not null check (part in ('file', 'preview')),
    start bigint not null check (start >= 0),
    content bytea not null,
    received_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    primary key (account_id, attachment_id, part, start)
);
alter table upload_pieces alter column content set storage external;
create index upload_pieces_received_at on upload_pieces (received_at);

alter table accounts
    add column attachments integer not null default 0 check (attachments >= 0),
    add column attachment_bytes bigint not null default 0 check (attachment_bytes >= 0);
comment on column accounts.attachments is 'How many attachments are declared or stored, and not removed.';
comment on column accounts.attachment_bytes is 'The declared bytes of their files and previews.';

grant select, insert, update, delete on blobs to almanac_worker;
grant select, insert, update, delete on attachments to almanac_worker;
grant select, insert, update, delete on note_attachments to almanac_worker;
grant select, insert, update, delete on upload_pieces to almanac_worker;
