import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@Suite struct ParameterTests {
    let connection: Connection

    init() throws { connection = try Connection(TestCluster.settings) }

    private static let texts = [
        "", " ", "plain", "it's \"quoted\" \\ $1 ; --", "Meeeeoowwww! 😸", "👨‍👩‍👧‍👦", "\u{E9}",
        "e\u{301}", "\u{FEFF}", "\u{10FFFF}", "a\r\n\tb\u{1}",
    ]
    private static let bigints: [Int64] = [.min, -4_294_967_297, -1, 0, 1, 255, 256, 9_007_199_254_740_993, .max]
    private static let instants: [Int64] = [
        Timestamp.earliest.milliseconds, -1, 0, 1, 946_684_799_999, 946_684_800_000, 946_684_800_001, 1_602_960_199_000,
        Timestamp.latest.milliseconds,
    ]

    @Test(arguments: texts)
    func `a text comes back byte for byte`(text: String) throws {
        let row = try connection.run(echoText, .text(text))[0]
        #expect(try Array(row.text("value").utf8) == Array(text.utf8))
        #expect(try row.bytes("value") == Array(text.utf8))
        #expect(try row.integer("length") == text.utf8.count)
    }

    @Test(arguments: [[], [0], [255, 0, 254], Array(0...255)] as [[UInt8]])
    func `bytes come back`(bytes: [UInt8]) throws {
        let row = try connection.run(echoBytes, .bytes(bytes))[0]
        #expect(try row.bytes("value") == bytes)
        #expect(try row.integer("length") == bytes.count)
    }

    @Test(arguments: bigints)
    func `a bigint comes back`(number: Int64) throws {
        let row = try connection.run(echoBigint, .bigint(number))[0]
        #expect(try row.bigint("value") == number)
        #expect(try row.integer("value") == Int(number))
        #expect(try row.text("written") == String(number))
    }

    @Test(arguments: [.min, -1, 0, 1, 65_536, .max] as [Int32])
    func `an integer comes back`(number: Int32) throws {
        let row = try connection.run(echoInteger, .integer(number))[0]
        #expect(try row.integer("value") == Int(number))
        #expect(try row.bigint("value") == Int64(number))
        #expect(try row.text("written") == String(number))
    }

    @Test(arguments: [true, false])
    func `a boolean comes back`(flag: Bool) throws {
        let row = try connection.run(echoBoolean, .boolean(flag))[0]
        #expect(try row.boolean("value") == flag)
        #expect(try row.text("written") == (flag ? "true" : "false"))
    }

    @Test(arguments: instants)
    func `an instant comes back, before 1970 and 2000 too`(milliseconds: Int64) throws {
        let instant = Timestamp(milliseconds: milliseconds)
        let row = try connection.run(echoTimestamp, .timestamp(instant))[0]
        #expect(try row.timestamp("value") == instant)
        #expect(try row.text("written") == instant.description)
    }

    @Test(arguments: [Int64.min, -9_000_000_000_000_000, 9_300_000_000_000_000, Int64.max])
    func `an instant beyond PostgreSQL's years is refused and never an infinity`(milliseconds: Int64) throws {
        let instant = Parameter.timestamp(Timestamp(milliseconds: milliseconds))
        #expect(state { try connection.run(echoTimestamp, instant) } == .datetimeFieldOverflow)
    }

    @Test func `microseconds are cut towards the past`() throws {
        let row = try connection.run(
            Statement(
                """
                -- name: microseconds
                select timestamptz '1999-12-31T23:59:59.999999Z' as before,
                       timestamptz '2000-01-01T00:00:00.000999Z' as after
                """))[0]
        #expect(try row.timestamp("before").milliseconds == 946_684_799_999)
        #expect(try row.timestamp("after").milliseconds == 946_684_800_000)
    }

    @Test(
        arguments: [
            (echoText, .text(nil)), (echoBytes, .bytes(nil)), (echoBigint, .bigint(nil)), (echoInteger, .integer(nil)),
            (echoBoolean, .boolean(nil)), (echoTimestamp, .timestamp(nil)),
        ] as [(Statement, Parameter)])
    func `nil is null`(statement: Statement, parameter: Parameter) throws {
        #expect(try connection.run(statement, parameter)[0].boolean("missing"))
    }

    @Test func `an empty text is not null`() throws {
        #expect(try !connection.run(echoText, .text(""))[0].boolean("missing"))
        #expect(try !connection.run(echoBytes, .bytes([]))[0].boolean("missing"))
    }

    @Test(arguments: ["\0", "a\0b", "a\0"])
    func `a text with U+0000 is refused by the server`(text: String) throws {
        #expect(state { try connection.run(echoText, .text(text)) } == .characterNotInRepertoire)
        #expect(connection.isUsable)
    }

    @Test func `JSON is a text that the statement casts`() throws {
        let statement = Statement(
            """
            -- name: echo_json
            select $1::jsonb as binary_json, $1::json as json
            """)
        let row = try connection.run(statement, .text(#"{"b": 9007199254740993, "a": 0.10}"#))[0]
        #expect(try row.bytes("binary_json") == Array(#"{"a": 0.10, "b": 9007199254740993}"#.utf8))
        #expect(try row.text("binary_json") == #"{"a": 0.10, "b": 9007199254740993}"#)
        #expect(try row.bytes("json") == Array(#"{"b": 9007199254740993, "a": 0.10}"#.utf8))
        #expect(state { try connection.run(statement, .text("{")) } == .invalidTextRepresentation)
        #expect(state { try connection.run(statement, .text(#""\u0000""#)) } == .untranslatableCharacter)
    }

    @Test(
        arguments: [
            (.textArray(["a", nil, "", "😸", "{,\"}"]), #"{a,NULL,"",😸,"{,\"}"}"#, "text[]"),
            (.textArray([]), "{}", "text[]"),
            (.bigintArray([.min, nil, .max]), "{-9223372036854775808,NULL,9223372036854775807}", "bigint[]"),
            (.integerArray([.min, nil, .max]), "{-2147483648,NULL,2147483647}", "integer[]"),
            (.booleanArray([true, nil, false]), "{t,NULL,f}", "boolean[]"),
            (.bytesArray([[0, 255], nil, []]), #"{"\\x00ff",NULL,"\\x"}"#, "bytea[]"),
            (
                .timestampArray([Timestamp(milliseconds: -1), nil]), #"{"1969-12-31 23:59:59.999+00",NULL}"#,
                "timestamp with time zone[]"
            ),
        ] as [(Parameter, String, String)])
    func `an array reaches the server, its nulls too`(parameter: Parameter, written: String, type: String) throws {
        try connection.execute(script: "set timezone = 'UTC'")
        let row = try connection.run(echoArray, parameter)[0]
        #expect(try row.text("written") == written)
        #expect(try row.text("type") == type)
    }

    @Test func `arrays come back`() throws {
        let statement = Statement(
            """
            -- name: echo_arrays
            select $1::text[] as texts, $2::bigint[] as bigints, $3::integer[] as integers, null::text[] as missing
            """)
        let row = try connection.run(
            statement, .textArray(["", "😸"]), .bigintArray([.min, .max]), .integerArray([-1, 7]))[0]
        #expect(try row.textArray("texts") == ["", "😸"])
        #expect(try row.bigintArray("bigints") == [.min, .max])
        #expect(try row.bigintArray("integers") == [-1, 7])
        #expect(try row.optionalTextArray("missing") == nil)
        let empty = try connection.run(statement, .textArray([]), .bigintArray([]), .integerArray([]))[0]
        #expect(try empty.textArray("texts") == [])
        #expect(try empty.bigintArray("bigints") == [])
    }

    @Test func `a text of 20 MB comes back`() throws {
        let text = String(repeating: "0123456789 naïve 😸\n", count: 900_000)
        #expect(text.utf8.count > 20_000_000)
        let row = try connection.run(echoText, .text(text))[0]
        #expect(try row.integer("length") == text.utf8.count)
        let received = try row.bytes("value")
        #expect(received.elementsEqual(text.utf8))
    }

    @Test func `the same statement may be given parameters of other types`() throws {
        for parameter in [.text("1"), .bigint(1), .text("2"), .textArray(["1"])] as [Parameter] {
            _ = try connection.run(echoArray, parameter)
        }
        #expect(try connection.run(echoArray, .bigint(1))[0].text("type") == "bigint")
    }
}

private let echoText = Statement(
    """
    -- name: echo_text
    select $1 as value, octet_length($1) as length, $1 is null as missing
    """)
private let echoBytes = Statement(
    """
    -- name: echo_bytes
    select $1 as value, octet_length($1) as length, $1 is null as missing
    """)
private let echoBigint = Statement(
    """
    -- name: echo_bigint
    select $1 as value, $1::text as written, $1 is null as missing
    """)
private let echoInteger = Statement(
    """
    -- name: echo_integer
    select $1 as value, $1::text as written, $1 is null as missing
    """)
private let echoBoolean = Statement(
    """
    -- name: echo_boolean
    select $1 as value, $1::text as written, $1 is null as missing
    """)
private let echoTimestamp = Statement(
    """
    -- name: echo_timestamp
    select $1 as value, $1 is null as missing,
           to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as written
    """)
private let echoArray = Statement(
    """
    -- name: echo_array
    select $1::text as written, pg_typeof($1)::text as type
    """)
