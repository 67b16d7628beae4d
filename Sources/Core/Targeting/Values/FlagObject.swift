/// The members of a JSON object in the order in which they were written, each name once.
public struct FlagObject: Sendable {
    /// How much there is inside.
    private(set) var measure = FlagMeasure()
    /// Names and values, in the order in which they were written.
    public private(set) var members: [Member]
    /// The members' places in the order of their names, where there are too many to look at each.
    private let places: [Int32]

    /// One name with its value.
    public struct Member: Sendable {
        /// What the value is found by.
        public let name: String
        /// What is found.
        public let value: FlagValue

        /// A member of an object.
        public init(_ name: String, _ value: FlagValue) {
            self.name = name
            self.value = value
        }
    }

    /// How many members are looked at one by one.
    private static let few = 12

    /// An object without members.
    public init() {
        members = []
        places = []
    }

    /// An object; nil if two members have the same name.
    public init?(_ members: [Member]) {
        self.members = members
        for member in members { measure.add(member.value, name: member.name) }
        guard members.count > FlagObject.few else {
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

    /// The value of a member.
    public subscript(name: String) -> FlagValue? { index(of: name).map { members[$0].value } }

    /// The steps that it takes to find a member, beyond one.
    var stepsToFind: Int { places.isEmpty ? 0 : (Int.bitWidth - places.count.leadingZeroBitCount) / 4 }

    /// The place of a member among all.
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

    /// Gives a member, which is a text, another text.
    mutating func setText(_ text: String, at index: Int) {
        if case .string(let old) = members[index].value { measure.replace(old, text) }
        members[index] = Member(members[index].name, .string(text))
    }
}
