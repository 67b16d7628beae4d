internal import AlmanacJSON

/// An object in the file, read member by member.
struct Section {
    private let object: JSONObject
    private let name: String
    private let path: String

    init(_ value: JSONValue, name: String, path: String) throws(EnvironmentsFailure) {
        guard let object = value.objectValue else {
            throw EnvironmentsFailure(path, "'\(name)' must be an object")
        }
        self.object = object
        self.name = name
        self.path = path
    }

    func failure(_ reason: String) -> EnvironmentsFailure { EnvironmentsFailure(path, "in '\(name)': \(reason)") }

    func allow(_ names: String...) throws(EnvironmentsFailure) {
        if let unknown = object.members.first(where: { !names.contains($0.name) }) {
            throw failure("unknown member '\(unknown.name)'; expected \(names.joined(separator: ", "))")
        }
    }

    func section(_ member: String) throws(EnvironmentsFailure) -> Section? {
        guard let value = object[member] else { return nil }
        return try Section(value, name: "\(name).\(member)", path: path)
    }

    /// Returns the sections of a member that is one object or an array of objects; none if the member is absent.
    func sections(_ member: String) throws(EnvironmentsFailure) -> [Section] {
        guard let value = object[member] else { return [] }
        guard let elements = value.arrayValue else {
            return [try Section(value, name: "\(name).\(member)", path: path)]
        }
        guard !elements.isEmpty else { throw failure("'\(member)' must not be an empty array") }
        var sections: [Section] = []
        for (index, element) in elements.enumerated() {
            sections.append(try Section(element, name: "\(name).\(member)[\(index)]", path: path))
        }
        return sections
    }

    func string(_ member: String) throws(EnvironmentsFailure) -> String? {
        guard let value = object[member] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw failure("'\(member)' must be a text") }
        return text
    }

    func boolean(_ member: String) throws(EnvironmentsFailure) -> Bool? {
        guard let value = object[member] else { return nil }
        guard let truth = value.boolValue else { throw failure("'\(member)' must be true or false") }
        return truth
    }

    /// Returns all members but one, each an array of texts.
    func lists(without other: String) throws(EnvironmentsFailure) -> [(name: String, texts: [String])] {
        var lists: [(name: String, texts: [String])] = []
        for member in object.members where member.name != other {
            lists.append((member.name, try strings(member.name)))
        }
        return lists
    }

    func strings(_ member: String) throws(EnvironmentsFailure) -> [String] { try list(member) ?? [] }

    /// Returns the texts of a member; nil if it is absent.
    func list(_ member: String) throws(EnvironmentsFailure) -> [String]? {
        guard let value = object[member] else { return nil }
        guard let texts = value.arrayValue?.map(\.stringValue), !texts.contains(nil) else {
            throw failure("'\(member)' must be an array of texts")
        }
        return texts.compactMap(\.self)
    }

    func integers(_ member: String) throws(EnvironmentsFailure) -> [Int] {
        guard let value = object[member] else { return [] }
        guard let numbers = value.arrayValue?.map(\.numberValue?.int64), !numbers.contains(nil) else {
            throw failure("'\(member)' must be an array of whole numbers")
        }
        return numbers.compactMap { $0.map { Int(clamping: $0) } }
    }

    func integer(_ member: String, in range: ClosedRange<Int>) throws(EnvironmentsFailure) -> Int? {
        guard let value = object[member] else { return nil }
        guard let number = value.numberValue?.int64, range.contains(Int(clamping: number)) else {
            throw failure("'\(member)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }
}
