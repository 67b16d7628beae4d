-- Events are read from the history in the order of an account's revisions. Each has one row at most.
create unique index note_revisions_revision on note_revisions (account_id, revision);
