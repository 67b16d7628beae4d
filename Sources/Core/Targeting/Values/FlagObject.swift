/// The members of a JSON object in the order in which they were written, each name once.
public struct FlagObject: Sendable {
    /// Names and values, in the order in which they were written.
    public let members: [Member]
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
    public subscript(name: String) -> FlagValue? {
        guard !places.isEmpty else {
            for index in members.indices where members[index].name.hasBytes(of: name) { return members[index].value }
            return nil
        }
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if members[Int(places[middle])].name.comesBefore(name) { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, members[Int(places[low])].name.hasBytes(of: name) else { return nil }
        return members[Int(places[low])].value
    }
}
