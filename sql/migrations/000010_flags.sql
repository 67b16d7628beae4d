-- Flags: entries of their own kinds, and the scope of those who evaluate them.

alter table config_entries
    add column kind text not null default 'value' check (kind in ('value', 'flag', 'flag-set')),
    add column value_ended_revision bigint,
    add column value_ended_at timestamptz(3),
    add constraint config_entries_flag_set_check check (kind <> 'flag-set' or key = '_flags'),
    add constraint config_entries_value_ended_check check (
        (value_ended_revision is null) = (value_ended_at is null)
        and (value_ended_revision is null or kind <> 'value'));
comment on column config_entries.kind is 'What its value is; of a tombstone, what was removed. Who may not read flags sees those of kind value only.';
comment on column config_entries.value_ended_revision is 'When the key was last a value, if it ever was: for who may not read flags it was removed then.';
-- Checking a set reads all flags, and nothing else.
create index config_entries_flags on config_entries (key) where kind <> 'value';

alter table config_changes
    add column kind text not null default 'value' check (kind in ('value', 'flag', 'flag-set')),
    add column kind_before text check (kind_before in ('value', 'flag', 'flag-set'));
comment on column config_changes.kind is 'What the entry is after the change; of a removal, what it was.';
comment on column config_changes.kind_before is 'What the entry was before, where that was something else.';

-- Programs of the release before know no such scope, and let a token that has no other do nothing.
alter table api_tokens drop constraint api_tokens_scopes_check;
alter table api_tokens add constraint api_tokens_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|admin|config:write:[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))+$');
alter table sessions drop constraint sessions_scopes_check;
alter table sessions add constraint sessions_scopes_check check (
    array_position(scopes, null) is null and array_to_string(scopes, ' ') ~
    '^((flags:evaluate|config:read|config:write|admin|config:write:[A-Za-z_][A-Za-z0-9_.-]{0,127}[*]?)( |$))*$');
