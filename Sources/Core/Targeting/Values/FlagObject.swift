/// The members of a JSON object in their order, with unique names.
public struct FlagObject: Sendable {
    private(set) var measure = ContentSize()
    /// The members, in the order of the JSON text.
    public private(set) var members: [Member]
    /// The indices of the members sorted by name, or empty for an object with few members.
    private let places: [Int32]

    /// A member of an object.
    public struct Member: Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: FlagValue

        /// Creates a member.
        public init(_ name: String, _ value: FlagValue) {
            self.name = name
            self.value = value
        }
    }

    /// The largest number of members that are searched linearly.
    private static let maxUnsortedMembers = 12

    /// Creates an object without members.
    public init() {
        members = []
        places = []
    }

    /// Creates an object. Returns nil if two members have the same name.
    public init?(_ members: [Member]) {
        self.members = members
        for member in members { measure.add(member.value, name: member.name) }
        guard members.count > FlagObject.maxUnsortedMembers else {
            places = []
            for index in members.indices {
                for earlier in 0..<index where members[earlier].name.hasBytes(of: members[index].name) { return nil }
            }
            return
        }
        let places = members.indices.map { Int32($0) }.sorted {
            members[Int($0)].name.comesBefore(members[Int($1)].name)
        }
        for (place, next) in zip(places, places.dropFirst())
        where members[Int(place)].name.hasBytes(of: members[Int(next)].name) {
            return nil
        }
        self.places = places
    }

    /// Returns the value of a member.
    public subscript(name: String) -> FlagValue? { index(of: name).map { members[$0].value } }

    /// The additional steps of finding a member.
    var stepsToFind: Int { places.isEmpty ? 0 : (Int.bitWidth - places.count.leadingZeroBitCount) / 4 }

    func index(of name: String) -> Int? {
        guard !places.isEmpty else { return members.indices.first { members[$0].name.hasBytes(of: name) } }
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if members[Int(places[middle])].name.comesBefore(name) { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, members[Int(places[low])].name.hasBytes(of: name) else { return nil }
        return Int(places[low])
    }

    /// Replaces the text of a member whose value is a text.
    mutating func setText(_ text: String, at index: Int) {
        if case .string(let old) = members[index].value { measure.replace(old, text) }
        members[index] = Member(members[index].name, .string(text))
    }
}
