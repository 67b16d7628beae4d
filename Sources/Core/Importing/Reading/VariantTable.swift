internal import AlmanacTargeting

/// The variants of a flag whose values have no names in the files.
struct VariantTable {
    private(set) var members: [FlagObject.Member] = []
    /// The names by the values as JSON.
    private var names: [[UInt8]: String] = [:]
    private var taken = UniqueNames()

    private static let maxNameBytes = 40

    /// The variants as a member of a definition.
    var object: FlagValue { Logic.object(members) }

    /// Returns the name of a value that was added, or nil.
    subscript(value: FlagValue) -> String? { names[Self.identity(value)] }

    /// Adds a value, unless it is there, and returns the variant's name.
    ///
    /// - Parameter preferred: The name in the files, if there is one.
    @discardableResult
    mutating func add(_ value: FlagValue, preferred: String? = nil) -> String {
        let identity = Self.identity(value)
        if let name = names[identity] { return name }
        let wanted = [preferred, Self.name(of: value)].compactMap { $0 }.first {
            Self.isName($0) && !taken.contains($0)
        }
        let name = taken.add(wanted ?? "value-\(members.count + 1)")
        names[identity] = name
        members.append(FlagObject.Member(name, value))
        return name
    }

    /// Returns bytes that equal values share. Numbers are equal whatever their notation. Texts are equal if their bytes
    /// are, which Swift's own comparison of texts does not tell.
    private static func identity(_ value: FlagValue) -> [UInt8] {
        if case .number(let number) = value { return Array(number.double.description.utf8) }
        return Array(value.json.utf8)
    }

    private static func name(of value: FlagValue) -> String? {
        switch value {
        case .bool(let isOn): isOn ? "on" : "off"
        case .string(let text): text.utf8.isEmpty ? "empty" : text
        case .number(let number): number.text
        default: nil
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...maxNameBytes).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) || " _-.".unicodeScalars.contains($0)
            }
    }
}
