import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite struct RowTests {
    let connection: Connection

    init() throws { connection = try Connection(TestCluster.settings) }

    @Test func `an integer range has a beginning and perhaps an end`() throws {
        let row = try connection.run(
            Statement(
                """
                -- name: ranges
                select int4range(1, 5) as bounded, int4range(2, 5, '[]') as closed, int4range(3, null) as open,
                       int4range(null, 3) as endless, 'empty'::int4range as empty, null::int4range as missing,
                       int4range(-2147483648, 2147483647) as widest
                """))[0]
        #expect(try row.integerRange("bounded") == (1, 5))
        #expect(try row.integerRange("closed") == (2, 6))
        #expect(try row.integerRange("widest") == (-2_147_483_648, 2_147_483_647))
        let open = try row.integerRange("open")
        #expect(open.lower == 3 && open.upper == nil)
        for column in ["endless", "empty", "missing"] {
            #expect(misreading { try row.integerRange(column) } != nil)
        }
    }

    @Test func `reading a column as something else is an error that names both`() throws {
        let row = try connection.run(mixed)[0]
        #expect(misreading { try row.bigint("a_text") } == #"column "a_text" is text and can't be read as an integer"#)
        #expect(misreading { try row.text("a_number") } == #"column "a_number" is bigint and can't be read as a text"#)
        #expect(
            misreading { try row.text("some_bytes") } == #"column "some_bytes" is bytea and can't be read as a text"#)
        #expect(misreading { try row.boolean("a_number") } != nil)
        #expect(misreading { try row.timestamp("a_text") } != nil)
        #expect(misreading { try row.timestamp("never") } != nil)
        #expect(misreading { try row.timestamp("too_late") } != nil)
        #expect(misreading { try row.textArray("numbers") } != nil)
        #expect(misreading { try row.textArray("with_null") } != nil)
        #expect(
            misreading { try row.bigint("exact") }
                == #"column "exact" is of the type with oid 1700 and can't be read as an integer"#)
    }

    @Test func `a missing column and a null are errors`() throws {
        let row = try connection.run(mixed)[0]
        #expect(misreading { try row.text("a_txt") }?.hasPrefix(#"there is no column "a_txt" among a_text, "#) == true)
        #expect(misreading { try row.text("missing") } == #"column "missing" is null"#)
        #expect(try row.optionalText("missing") == nil)
        #expect(misreading { try row.optionalText("a_txt") } != nil)
    }

    @Test func `rows come in order and outlive their connection`() throws {
        let rows = try Connection(TestCluster.settings).run(
            Statement(
                """
                -- name: many
                select n::smallint as n, repeat('x', n) as text from generate_series(1, 10000) as s (n)
                """))
        #expect(rows.count == 10_000)
        #expect(rows.affected == 10_000)
        for (index, row) in rows.enumerated() { #expect(try row.integer("n") == index + 1) }
        #expect(try rows.last?.text("text").utf8.count == 10_000)
    }

    @Test func `a statement says how many rows it changed`() throws {
        try connection.execute(script: "create temporary table t (n integer)")
        let insert = Statement("-- name: insert_three\ninsert into t values (1), (2), (3)")
        let rows = try connection.run(insert)
        #expect(rows.isEmpty)
        #expect(rows.affected == 3)
        #expect(try connection.run(Statement("-- name: delete_none\ndelete from t where n > 9")).affected == 0)
    }

    private func misreading(_ body: () throws -> some Any) -> String? {
        do {
            _ = try body()
            return nil
        } catch PostgresFailure.unexpectedResult(let reason) {
            return reason
        } catch {
            return "not a misreading: \(error)"
        }
    }
}

private let mixed = Statement(
    """
    -- name: mixed
    select 'x'::text as a_text, 1::bigint as a_number, '\\x00'::bytea as some_bytes, 1.5 as exact,
           'infinity'::timestamptz as never, '10000-01-01'::timestamptz as too_late, array[1] as numbers,
           array['a', null] as with_null, null::text as missing
    """)
