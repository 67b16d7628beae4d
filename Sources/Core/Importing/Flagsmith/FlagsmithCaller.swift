internal import AlmanacTargeting

/// A caller as Flagsmith's engine sees it.
struct FlagsmithCaller {
    let identifier: String
    let environmentKey: String
    let environmentName: String
    let traits: [String: FlagValue]

    /// A value of the engine, which is written in Python.
    enum Value {
        case none
        case bool(Bool)
        case whole(WholeNumber)
        case float(Double)
        case text(String)
        /// A list or a dictionary, which no app sends.
        case other
    }

    var identityKey: String { "\(environmentKey)_\(identifier)" }

    func value(of property: String) -> Value {
        switch property {
        case "$.identity.identifier": Self.value(.string(identifier))
        case "$.identity.key": Self.value(.string(identityKey))
        case "$.environment.key": Self.value(.string(environmentKey))
        case "$.environment.name": Self.value(.string(environmentName))
        default: traits[Self.trait(property)].map { Self.value($0) } ?? .none
        }
    }

    /// Returns the name of the trait that a property is, or a path to it.
    static func trait(_ property: String) -> String {
        let prefix = "$.identity.traits."
        return property.hasPrefix(prefix) ? String(property.dropFirst(prefix.count)) : property
    }

    private static func value(_ value: FlagValue) -> Value {
        switch value {
        case .null: return .none
        case .bool(let value): return .bool(value)
        case .number(let number):
            return WholeNumber(digits: number.text).map { .whole($0) } ?? .float(number.double)
        case .string(let text):
            if let whole = WholeNumber(digits: text) { return .whole(whole) }
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            if parts.count == 2, WholeNumber(digits: String(Substring(parts[0]))) != nil, !parts[1].isEmpty,
                parts[1].allSatisfy({ (48...57).contains($0) }), let double = Double(text)
            {
                return .float(double)
            }
            return .text(text)
        case .array, .object: return .other
        }
    }

    /// Returns the place of a list of two ids, from 0 to less than 100.
    static func percentage(_ first: String, _ second: String) -> Double {
        for repetitions in 1...20 {
            let ids = [String](repeating: "\(first),\(second)", count: repetitions).joined(separator: ",")
            let hash = Digest.md5(Array(ids.utf8).span).reduce(UInt64(0)) { ($0 << 32 | UInt64($1)) % 9999 }
            let value = Double(hash) / 9998 * 100
            if value != 100 { return value }
        }
        return 0
    }
}

extension FlagsmithCaller.Value {
    /// The value as Python's `str` formats it, or nil if it is missing.
    var formatted: String? {
        switch self {
        case .none, .other: nil
        case .bool(let value): value ? "True" : "False"
        case .whole(let whole): whole.description
        case .float(let double): double.description
        case .text(let text): text
        }
    }
}

/// A whole number of any size.
struct WholeNumber: Equatable, CustomStringConvertible {
    private let isNegative: Bool
    /// The digits without zeros in front.
    private let digits: [UInt8]

    /// Reads digits with an optional minus sign.
    init?(digits text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let all = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !all.isEmpty, all.allSatisfy({ (48...57).contains($0) }) else { return nil }
        digits = Array(all.drop { $0 == 48 })
        self.isNegative = isNegative && !digits.isEmpty
    }

    var description: String {
        digits.isEmpty ? "0" : (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }

    var double: Double { Double(description) ?? .infinity }

    /// Returns -1, 0 or 1, as this number is less than another one, equal or greater.
    func order(_ other: WholeNumber) -> Int {
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let order: Int
        if digits.count != other.digits.count {
            order = digits.count < other.digits.count ? -1 : 1
        } else if digits == other.digits {
            order = 0
        } else {
            order = digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
        }
        return isNegative ? -order : order
    }
}
