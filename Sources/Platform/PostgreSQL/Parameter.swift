public import AlmanacTimestamps

/// A value for a placeholder (`$1`, `$2`, …) of a statement; nil is SQL's null.
///
/// Every value travels in binary and with its type, so nothing is quoted, escaped or guessed. A text that holds U+0000
/// reaches the server as it is and is refused there (`SQLState.characterNotInRepertoire`). JSON is a text that the
/// statement casts: `$1::jsonb`.
public enum Parameter: Sendable {
    case text(String?)
    case bytes([UInt8]?)
    case bigint(Int64?)
    case integer(Int32?)
    case boolean(Bool?)
    case timestamp(Timestamp?)

    case textArray([String?])
    case bytesArray([[UInt8]?])
    case bigintArray([Int64?])
    case integerArray([Int32?])
    case booleanArray([Bool?])
    case timestampArray([Timestamp?])
}
