internal import AlmanacPOSIX

/// The members of a JSON object in their order, with unique names.
///
/// Names are compared by their UTF-8 bytes: a composed and a decomposed `é` are two names.
public struct JSONObject: Sendable {
    public let members: [(name: String, value: JSONValue)]
    /// The index of each name in `members`, or nil for a small object, where a linear search is faster.
    private let index: [Name: Int]?

    private static let largestWithoutIndex = 8

    /// - Parameter members: The members; a repeated name keeps its first place and gets its last value.
    public init(_ members: [(name: String, value: JSONValue)] = []) {
        var positions: [Name: Int] = [:]
        var unique: [(name: String, value: JSONValue)] = []
        for member in members {
            if let position = positions[Name(member.name)] {
                unique[position].value = member.value
            } else {
                positions[Name(member.name)] = unique.count
                unique.append(member)
            }
        }
        self.members = unique
        index = unique.count > Self.largestWithoutIndex ? positions : nil
    }

    init(unique members: [(name: String, value: JSONValue)]) {
        self.members = members
        guard members.count > Self.largestWithoutIndex else {
            index = nil
            return
        }
        var positions: [Name: Int] = [:]
        positions.reserveCapacity(members.count)
        for (position, member) in members.enumerated() { positions[Name(member.name)] = position }
        index = positions
    }

    private init(members: [(name: String, value: JSONValue)], index: [Name: Int]?) {
        self.members = members
        self.index = index
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }

    public subscript(_ name: String) -> JSONValue? { position(of: name).map { members[$0].value } }

    /// Returns the object with one member replaced in its place, or added at the end.
    public func setting(_ name: String, _ value: JSONValue) -> JSONObject {
        var members = members
        guard let position = position(of: name) else {
            members.append((name, value))
            return JSONObject(unique: members)
        }
        // The name stays the same, so the index stays valid.
        members[position].value = value
        return JSONObject(members: members, index: index)
    }

    /// Returns the object without one member, or unchanged if the member does not exist.
    public func removing(_ name: String) -> JSONObject {
        guard let position = position(of: name) else { return self }
        var members = members
        members.remove(at: position)
        return JSONObject(unique: members)
    }

    private func position(of name: String) -> Int? {
        if let index { return index[Name(name)] }
        return members.firstIndex { $0.name.hasSameBytes(as: name) }
    }
}

extension JSONObject: Equatable {
    /// Returns true if the objects have the same names with equal values, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}

/// A member's name, compared by its bytes, while `String` compares canonical equivalence.
private struct Name: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Name, right: Name) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        // Safe because the bytes are lent for the one call. `String` would hash its normal form, which is slower.
        let bytes = text.utf8.span
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
