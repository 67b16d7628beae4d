// JSONFault is part of this module's interface, and an app should need only one import.
@_exported public import AlmanacJSONReader

extension FlagValue {
    /// Reads JSON strictly: UTF-8, no duplicate names, no number beyond a double, no text after the end.
    /// - Parameters:
    ///   - bytes: The JSON in UTF-8.
    ///   - maxBytes: The limit on the length, in bytes.
    ///   - maxDepth: The limit on the nesting depth of arrays and objects.
    public init(json bytes: [UInt8], maxBytes: Int = .max, maxDepth: Int = 64) throws(JSONFault) {
        guard bytes.count <= maxBytes else {
            throw JSONFault(expected: "at most \(maxBytes) bytes", offset: maxBytes, isMalformed: false)
        }
        var reader = JSONReader(bytes[...], maxDepth: maxDepth)
        try self.init(&reader)
        try reader.end()
    }

    /// Reads JSON from a text.
    public init(json text: String) throws(JSONFault) { try self.init(json: Array(text.utf8)) }

    private init(_ reader: inout JSONReader) throws(JSONFault) {
        var isFirst = true
        switch reader.start() {
        case UInt8(ascii: "{"):
            try reader.open("{")
            var members: [FlagObject.Member] = []
            while let name = try reader.nextMember(&isFirst) {
                guard let text = JSONString.text(of: name) else { throw reader.fault("a name in valid Unicode") }
                members.append(FlagObject.Member(text, try FlagValue(&reader)))
            }
            guard let object = FlagObject(members) else {
                throw reader.fault("an object with each name once", isMalformed: false)
            }
            self = .object(object)
        case UInt8(ascii: "["):
            try reader.open("[")
            var elements: [FlagValue] = []
            while try reader.nextElement(&isFirst) { elements.append(try FlagValue(&reader)) }
            self = .array(FlagArray(elements))
        case UInt8(ascii: "\""): self = .string(try reader.text())
        case UInt8(ascii: "t"):
            try reader.word("true")
            self = .bool(true)
        case UInt8(ascii: "f"):
            try reader.word("false")
            self = .bool(false)
        case UInt8(ascii: "n"):
            try reader.word("null")
            self = .null
        default:
            let digits = String(decoding: try reader.number(), as: UTF8.self)
            guard let number = FlagNumber(digits: digits) else {
                throw reader.fault("a number that a double can hold", isMalformed: false)
            }
            self = .number(number)
        }
    }
}
