import AlmanacTargeting

/// Copies of a file, in each of which another value is of another type.
struct Damage: Sequence, IteratorProtocol {
    private let content: FlagValue
    /// The number of values in the file, and the distance between two that are replaced.
    private let size: Int
    private let stride: Int
    private var place = 0
    private var round = 0

    private static let values: [FlagValue] = [nil, true, "x", 0, [], .object(FlagObject())]

    /// - Parameter count: The number of copies.
    init(_ content: FlagValue, count: Int) {
        self.content = content
        size = Self.size(of: content)
        stride = Swift.max(1, size / count)
    }

    mutating func next() -> FlagValue? {
        guard place < size else { return nil }
        defer { (place, round) = (place + stride, round + 1) }
        var left = place
        return Self.replaced(content, &left, by: Self.values[round % Self.values.count])
    }

    private static func size(of value: FlagValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + size(of: $1) }
        case .object(let object): object.members.reduce(1) { $0 + size(of: $1.value) }
        default: 1
        }
    }

    /// Replaces the value at a number of values from the start.
    private static func replaced(_ value: FlagValue, _ left: inout Int, by other: FlagValue) -> FlagValue {
        left -= 1
        if left == -1 { return other }
        switch value {
        case .array(let elements):
            return .array(FlagArray(elements.map { left < 0 ? $0 : replaced($0, &left, by: other) }))
        case .object(let object):
            let members = object.members.map { member in
                left < 0 ? member : FlagObject.Member(member.name, replaced(member.value, &left, by: other))
            }
            return FlagObject(members).map { .object($0) } ?? value
        default: return value
        }
    }
}
