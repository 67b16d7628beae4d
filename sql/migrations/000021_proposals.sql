-- Proposals: future releases, with their edits and reviews.

create table proposals (
    number bigint generated always as identity primary key,
    title text not null check (octet_length(title) between 1 and 1024),
    message text not null default '' check (octet_length(message) <= 16384),
    state text not null default 'draft' check (state in ('draft', 'open', 'applied', 'closed')),
    closed_as text check (closed_as in ('withdrawn', 'expired', 'restored', 'purged')),
    version bigint not null default 1 check (version > 0),
    round integer not null default 1 check (round > 0),
    author text not null,
    author_kind text not null check (author_kind in ('token', 'user', 'host')),
    token_id text,
    issuer text collate "C",
    subject text collate "C",
    apply_at timestamptz(3),
    zone text,
    apply_author text,
    apply_author_kind text check (apply_author_kind in ('token', 'user', 'host')),
    apply_token_id text,
    apply_issuer text collate "C",
    apply_subject text collate "C",
    apply_keys text[],
    missed_at timestamptz(3),
    after_number bigint references proposals,
    failure jsonb check (jsonb_typeof(failure) = 'object'),
    applied_revision bigint,
    created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    changed_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    check ((state = 'closed') = (closed_as is not null)),
    check ((issuer is null) = (subject is null)),
    check ((apply_at is null) = (zone is null)),
    check ((apply_at is null) = (apply_author is null)),
    check ((apply_author is null) = (apply_author_kind is null)),
    check ((apply_author is null) = (apply_keys is null)),
    check ((apply_issuer is null) = (apply_subject is null))
);
comment on column proposals.version is 'Raised by each change; the entity tag.';
comment on column proposals.round is 'Raised by each change of the edits or the time. Reviews of past rounds do not count.';
comment on column proposals.subject is 'With issuer: the person who made the proposal, or who owned the token that did.';
comment on column proposals.zone is 'The time zone in which apply_at is shown.';
comment on column proposals.apply_author is
    'The author of the release at apply_at, who set the time or submitted the proposal with it.';
comment on column proposals.apply_keys is
    'The patterns of keys that the author of the release could change then; a star for all keys.';
comment on column proposals.missed_at is
    'The time at which the release could not be made. The effect that reviewers saw contains it.';
comment on column proposals.failure is 'The reason why the release was not made at its time.';
comment on column proposals.applied_revision is 'Null if others had released all edits.';
create index proposals_pending on proposals (number) where state in ('draft', 'open');
create index proposals_due on proposals (apply_at) where state = 'open' and apply_at is not null;

create table proposal_edits (
    number bigint not null references proposals,
    key text collate "C" not null check (key ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$'),
    path text collate "C" not null check (octet_length(path) <= 1024),
    before jsonb,
    after jsonb,
    author text not null,
    token_id text,
    issuer text collate "C",
    subject text collate "C",
    earlier_authors jsonb not null default '[]' check (jsonb_typeof(earlier_authors) = 'array'),
    round integer not null,
    primary key (number, key, path),
    check ((issuer is null) = (subject is null))
);
comment on column proposal_edits.path is 'The part of the entry; empty for the whole value.';
comment on column proposal_edits.before is
    'The value that the author saw; null if the part was absent, and after a purge of the key.';
comment on column proposal_edits.token_id is 'The API token that wrote the edit, also by a session that it began.';
comment on column proposal_edits.earlier_authors is 'Those who wrote the value before the author kept it in a rebase.';
create index proposal_edits_key on proposal_edits (key);

create table proposal_reviews (
    id bigint generated always as identity primary key,
    number bigint not null references proposals,
    verdict text not null check (verdict in ('approve', 'reject', 'comment')),
    message text not null default '' check (octet_length(message) <= 16384),
    round integer not null,
    effect text not null,
    part text check (part in ('patch', 'minor', 'major')),
    reviewer text not null,
    token_id text,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    keys text[] not null,
    reviewed_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
    withdrawn_at timestamptz(3)
);
comment on column proposal_reviews.keys is 'The patterns of keys that the reviewer could approve; a star for all keys.';
comment on column proposal_reviews.token_id is
    'The API token of the reviewer. The review counts while the token is valid.';
comment on column proposal_reviews.part is 'The part of the version that the release would have raised.';
create index proposal_reviews_number on proposal_reviews (number, id);

-- Returns the people who made, rotated or owned an API token, or the token that made it, and so on. The audit log has
-- no issuer of the author of a token, so that the subject alone counts.
create index audit_log_tokens on audit_log (subject)
    where action in ('token.create', 'token.rotate', 'token.change');
create function token_makers(token text) returns table (issuer text, subject text)
    language sql stable set search_path = pg_catalog, public, pg_temp as $$
    with recursive made (id) as (
        select $1
        union
        select l.token_id from made m join audit_log l on l.subject = m.id
        where l.action in ('token.create', 'token.rotate') and l.token_id is not null
    ), lines as (
        select l.action, l.author, l.author_kind, l.details from made m join audit_log l on l.subject = m.id
        where l.action in ('token.create', 'token.rotate', 'token.change')
    )
    select t.owner_issuer, t.owner_subject from made m join api_tokens t on t.id = m.id
    where t.owner_subject is not null
    union select l.details ->> 'owner_issuer', l.details ->> 'owner' from lines l where l.details ? 'owner'
    union select null, l.author from lines l where l.author_kind = 'user' and l.action <> 'token.change'
$$;
revoke all on function token_makers(text) from public;

-- The reason why a release was made without approvals. A release by a bypass is unreviewed until it is acknowledged.
alter table config_releases
    add column proposal bigint references proposals,
    add column exemption text check (exemption in ('disable', 'undo')),
    add column bypass_reason text check (octet_length(bypass_reason) between 1 and 1024),
    add column acknowledged_at timestamptz(3),
    add column acknowledged_by text;
create index config_releases_unreviewed on config_releases (revision)
    where bypass_reason is not null and acknowledged_at is null;

-- Programs of the release before ignore the new scope, for switching off one flag.
alter table api_tokens drop constraint api_tokens_scopes_check;
alter table api_tokens add constraint api_tokens_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?|flags:disable:[A-Za-z_][A-Za-z0-9_.-]{0,127})( |$))+$');
alter table sessions drop constraint sessions_scopes_check;
alter table sessions add constraint sessions_scopes_check check (
    array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|config:propose|config:approve|config:bypass|admin|config:(write|approve):[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?|flags:disable:[A-Za-z_][A-Za-z0-9_.-]{0,127})( |$))*$');

grant execute on function token_makers(text) to almanac_worker;
grant select, insert, update on proposals, proposal_reviews to almanac_worker;
grant select, insert, update, delete on proposal_edits to almanac_worker;
grant update (acknowledged_at, acknowledged_by) on config_releases to almanac_worker;
