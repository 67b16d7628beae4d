-- Search: the words of each note as apps compare them too, and its tags, in one vector. A search gathers those of the notes
-- that have changed since the one before, so writes do not wait for it.

-- The words of a text, parted by single spaces: without case, accents, vowel points and width; ligatures as their letters.
-- Punctuation, blanks and control characters part words. Of the rest these are a word each: characters of scripts
-- without spaces, signs, and emoji. The notes page has the same table in fold.js, the library for apps in SearchWords.
create function search_words(text) returns text
    language sql immutable strict parallel safe
    return trim(regexp_replace(regexp_replace(
        replace(replace(replace(replace(translate(
            regexp_replace(lower(normalize($1, NFKD) collate "und-x-icu"),
                '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0600-\u0605\u0610-\u061a\u061c\u0640'
                '\u064b-\u065f\u0670\u06d6-\u06ed\u070f\u0890\u0891\u08e2\u180e\u1ab0-\u1aff\u1dc0-\u1dff'
                '\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb'
                '\U000e0001-\U000e007f]+', '', 'g'),
            'øđðłıς', 'oddliσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        '([$+<=>^`|~¢-©¬®-±×÷\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2044\u2052\u20a0-\u20cf\u2100-\u2bff'
        '\u2e80-\u2fff\u3004-\u3007\u3021-\u3029\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff'
        '\ua9e0-\ua9ff\uaa60-\uaa7f\U00010000-\U0010ffff])', ' \1 ', 'g'),
        '[[:punct:][:space:][:cntrl:]]+', ' ', 'g'));

-- Words with their places, from the second one on, so that words of two texts are never in a row. Places are counted to
-- 16,383, and a word has at most 2,046 bytes.
create function search_places(words text) returns tsvector
    language sql immutable strict parallel safe
    return (
        select coalesce(string_agg('''' || left(word, 500) || ''':' || least(place + 1, 16383), ' '), '')::tsvector
        from unnest(string_to_array(left(words, 100000), ' ')) with ordinality as each (word, place)
        where word <> '');

-- Of a long body the beginning: a vector has at most 1 MB. A tag is there as a whole, too, behind a '#'.
create function search_vector(title text, tags jsonb, body text) returns tsvector
    language sql immutable strict parallel safe
    return setweight(search_places(search_words(title)), 'A')
        || setweight(search_places((
            select coalesce(string_agg(search_words(tag), '  '), '') from jsonb_object_keys(tags) as tag)), 'B')
        || setweight(search_places(search_words(left(body, 100000))), 'C')
        || array_to_tsvector(array(select '#' || tag from jsonb_object_keys(tags) as tag));

-- A query for words in a row, of which the last may be the beginning of one unless it is whole; null without words.
-- `weights` says where they may be: A in the title, B in tags, C in the body.
create function search_term(text text, whole boolean, weights text) returns text
    language sql immutable strict parallel safe
    return (
        select string_agg(
            '''' || left(word, 500) || ''':' || case when is_last and not whole then '*' else '' end || weights,
            ' <-> ' order by place)
        from (
            select word, place, place = max(place) over () as is_last
            from unnest(string_to_array(search_words(text), ' ')) with ordinality as each (word, place)) as words);

-- Notes in the list, and in the trash since the last search. An index of all words would have those of all accounts, and
-- searches look for the beginnings of words: the vectors of an account's own notes are read instead.
create table note_words (
    account_id bigint not null,
    note_id text collate "C" not null,
    revision bigint not null,
    words tsvector not null,
    primary key (account_id, note_id),
    foreign key (account_id, note_id) references notes on delete cascade
);
comment on column note_words.revision is 'That of the note whose words these are.';

-- Programs of the release before search notes.search, without an index from now on.
drop index notes_search;

grant select, insert, update, delete on note_words to almanac_worker;
