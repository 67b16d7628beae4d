/// How much there is in an array or an object. It is kept with the value, since a rule may put one value into another
/// many times, which is then larger than it takes in memory.
struct FlagMeasure: Sendable {
    /// The steps that going through it takes: each value inside is one, and so are 16 bytes of a text, of digits and of
    /// names. It stops at the largest number that it can be.
    private(set) var size: Int32 = 0
    /// How many arrays and objects are inside each other, itself included.
    private(set) var depth: Int16 = 1
    /// Whether there is an object inside.
    private(set) var holdsObject = false

    mutating func add(_ value: FlagValue, name: String = "") {
        let steps = 1 + name.utf8.count / 16 + value.size
        size = Int32(clamping: Int(size) + steps)
        switch value {
        case .array(let array): holdsObject = holdsObject || array.measure.holdsObject
        case .object: holdsObject = true
        default: break
        }
        depth = max(depth, Int16(clamping: value.depth + 1))
    }

    /// Takes one text for another.
    mutating func replace(_ old: String, _ new: String) {
        size = Int32(clamping: Int(size) + new.utf8.count / 16 - old.utf8.count / 16)
    }
}

extension FlagValue {
    /// The steps that going through it takes.
    var size: Int {
        switch self {
        case .null, .bool: 0
        case .number(let number): number.digitCount / 16
        case .string(let text): text.utf8.count / 16
        case .array(let array): Int(array.measure.size)
        case .object(let object): Int(object.measure.size)
        }
    }

    /// How many arrays and objects are inside each other.
    var depth: Int {
        switch self {
        case .array(let array): Int(array.measure.depth)
        case .object(let object): Int(object.measure.depth)
        default: 0
        }
    }
}
