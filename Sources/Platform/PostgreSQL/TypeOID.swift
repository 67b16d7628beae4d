/// The number by which the protocol names a type of PostgreSQL's (`pg_type.dat`).
struct TypeOID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    static let bool = TypeOID(rawValue: 16)
    static let bytea = TypeOID(rawValue: 17)
    static let name = TypeOID(rawValue: 19)
    static let int8 = TypeOID(rawValue: 20)
    static let int2 = TypeOID(rawValue: 21)
    static let int4 = TypeOID(rawValue: 23)
    static let text = TypeOID(rawValue: 25)
    static let json = TypeOID(rawValue: 114)
    static let bpchar = TypeOID(rawValue: 1042)
    static let varchar = TypeOID(rawValue: 1043)
    static let timestamptz = TypeOID(rawValue: 1184)
    static let jsonb = TypeOID(rawValue: 3802)
    static let int4range = TypeOID(rawValue: 3904)

    static let boolArray = TypeOID(rawValue: 1000)
    static let byteaArray = TypeOID(rawValue: 1001)
    static let int4Array = TypeOID(rawValue: 1007)
    static let textArray = TypeOID(rawValue: 1009)
    static let int8Array = TypeOID(rawValue: 1016)
    static let timestamptzArray = TypeOID(rawValue: 1185)
}

extension TypeOID: CustomStringConvertible {
    var description: String {
        switch self {
        case .bool: "boolean"
        case .bytea: "bytea"
        case .name: "name"
        case .int8: "bigint"
        case .int2: "smallint"
        case .int4: "integer"
        case .text: "text"
        case .json: "json"
        case .bpchar: "character"
        case .varchar: "character varying"
        case .timestamptz: "timestamp with time zone"
        case .jsonb: "jsonb"
        case .int4range: "int4range"
        default: "of the type with oid \(rawValue)"
        }
    }
}
