-- The schema that the migrations make, as pg_dump shows it. Written by a test, never by hand:
--     ALMANAC_UPDATE_SCHEMA=1 deploy/test

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';

CREATE TABLE public.almanac_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE public.almanac_migrations OWNER TO almanac_owner;

CREATE TABLE public.api_tokens (
    id text NOT NULL,
    digest bytea NOT NULL,
    label text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT api_tokens_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT api_tokens_id_check CHECK ((id ~ '^[a-z0-9]{8}$'::text)),
    CONSTRAINT api_tokens_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 100))),
    CONSTRAINT api_tokens_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['config:read'::text, 'config:write'::text, 'admin'::text])))
);

ALTER TABLE public.api_tokens OWNER TO almanac_owner;

COMMENT ON COLUMN public.api_tokens.digest IS 'SHA-256 of the whole token, which has 256 random bits.';

CREATE TABLE public.config_changes (
    revision bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    before jsonb,
    after jsonb,
    description text DEFAULT ''::text NOT NULL,
    from_major integer NOT NULL,
    purged boolean DEFAULT false NOT NULL,
    CONSTRAINT config_changes_check CHECK (((NOT purged) OR ((before IS NULL) AND (after IS NULL)))),
    CONSTRAINT config_changes_from_major_check CHECK ((from_major >= 1))
);

ALTER TABLE public.config_changes OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_changes.from_major IS 'The change is seen by this major and all later ones.';

CREATE TABLE public.config_entries (
    id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    majors int4range NOT NULL,
    value jsonb,
    description text DEFAULT ''::text NOT NULL,
    revision bigint NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT config_entries_key_check CHECK ((key ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$'::text)),
    CONSTRAINT config_entries_majors_check CHECK (((NOT isempty(majors)) AND (lower(majors) >= 1))),
    CONSTRAINT config_entries_value_check CHECK ((jsonb_typeof(value) <> 'null'::text))
);

ALTER TABLE public.config_entries OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_entries.majors IS 'The majors that see this row; the newest row of a key has no upper bound.';

ALTER TABLE public.config_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.config_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.config_head (
    singleton boolean DEFAULT true NOT NULL,
    lineage text DEFAULT substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 8) NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    major integer DEFAULT 0 NOT NULL,
    minor integer DEFAULT 0 NOT NULL,
    patch integer DEFAULT 0 NOT NULL,
    oldest_revision bigint DEFAULT 0 NOT NULL,
    rewritten_revision bigint DEFAULT 0 NOT NULL,
    CONSTRAINT config_head_check CHECK (((oldest_revision >= 0) AND (oldest_revision <= revision))),
    CONSTRAINT config_head_check1 CHECK (((rewritten_revision >= 0) AND (rewritten_revision <= revision))),
    CONSTRAINT config_head_lineage_check CHECK ((lineage ~ '^[a-z0-9]{4,16}$'::text)),
    CONSTRAINT config_head_major_check CHECK ((major >= 0)),
    CONSTRAINT config_head_minor_check CHECK ((minor >= 0)),
    CONSTRAINT config_head_patch_check CHECK ((patch >= 0)),
    CONSTRAINT config_head_revision_check CHECK ((revision >= 0)),
    CONSTRAINT config_head_singleton_check CHECK (singleton)
);

ALTER TABLE public.config_head OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_head.lineage IS 'Tells the revisions of this history from those of another; renewed after a restore from a backup.';

COMMENT ON COLUMN public.config_head.updated_at IS 'Strictly increasing with the revision.';

COMMENT ON COLUMN public.config_head.oldest_revision IS 'Every change after this revision is kept in config_changes.';

COMMENT ON COLUMN public.config_head.rewritten_revision IS 'The last revision that did more to config_entries than update or insert rows with its updated_at.';

CREATE TABLE public.config_majors (
    major integer NOT NULL,
    minor integer NOT NULL,
    patch integer NOT NULL,
    released_revision bigint NOT NULL,
    last_asked_at timestamp(3) with time zone,
    retired_at timestamp(3) with time zone,
    CONSTRAINT config_majors_major_check CHECK ((major >= 1))
);

ALTER TABLE public.config_majors OWNER TO almanac_owner;

COMMENT ON COLUMN public.config_majors.minor IS 'With patch: the newest version of this major.';

CREATE TABLE public.config_releases (
    revision bigint NOT NULL,
    major integer NOT NULL,
    minor integer NOT NULL,
    patch integer NOT NULL,
    released_at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    author text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    CONSTRAINT config_releases_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'restore'::text, 'purge'::text, 'retire'::text]))),
    CONSTRAINT config_releases_revision_check CHECK ((revision > 0))
);

ALTER TABLE public.config_releases OWNER TO almanac_owner;

ALTER TABLE ONLY public.almanac_migrations
    ADD CONSTRAINT almanac_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.config_changes
    ADD CONSTRAINT config_changes_pkey PRIMARY KEY (key, revision);

ALTER TABLE ONLY public.config_entries
    ADD CONSTRAINT config_entries_one_per_key_and_major EXCLUDE USING gist (key WITH =, majors WITH &&);

ALTER TABLE ONLY public.config_entries
    ADD CONSTRAINT config_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.config_head
    ADD CONSTRAINT config_head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY public.config_majors
    ADD CONSTRAINT config_majors_pkey PRIMARY KEY (major);

ALTER TABLE ONLY public.config_releases
    ADD CONSTRAINT config_releases_pkey PRIMARY KEY (revision);

ALTER TABLE ONLY public.config_releases
    ADD CONSTRAINT config_releases_released_at_key UNIQUE (released_at);

CREATE INDEX config_changes_revision ON public.config_changes USING btree (revision);

CREATE UNIQUE INDEX config_entries_newest ON public.config_entries USING btree (key) WHERE upper_inf(majors);

CREATE INDEX config_entries_revision ON public.config_entries USING btree (revision);

CREATE INDEX config_entries_updated_at ON public.config_entries USING btree (updated_at);

ALTER TABLE ONLY public.config_changes
    ADD CONSTRAINT config_changes_revision_fkey FOREIGN KEY (revision) REFERENCES public.config_releases(revision);

ALTER TABLE ONLY public.config_majors
    ADD CONSTRAINT config_majors_released_revision_fkey FOREIGN KEY (released_revision) REFERENCES public.config_releases(revision);

GRANT SELECT ON TABLE public.almanac_migrations TO almanac_worker;

GRANT SELECT ON TABLE public.api_tokens TO almanac_worker;

GRANT UPDATE(last_used_at) ON TABLE public.api_tokens TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.config_changes TO almanac_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.config_entries TO almanac_worker;

GRANT SELECT,UPDATE ON TABLE public.config_head TO almanac_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.config_majors TO almanac_worker;

GRANT SELECT,INSERT ON TABLE public.config_releases TO almanac_worker;
