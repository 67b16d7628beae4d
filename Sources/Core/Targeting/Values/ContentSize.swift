/// The size and the depth of an array or object. Both are stored with the value, because a rule may put one value into
/// another many times, which multiplies the size but not the memory.
struct ContentSize: Sendable {
    /// The steps of reading all of it: one for each value inside, and one for each 16 bytes of texts, digits and names.
    /// Saturates at the largest Int32.
    private(set) var size: Int32 = 0
    /// The nesting depth of arrays and objects, including this one.
    private(set) var depth: Int16 = 1
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

    mutating func replace(_ old: String, _ new: String) {
        size = Int32(clamping: Int(size) + new.utf8.count / 16 - old.utf8.count / 16)
    }
}

extension FlagValue {
    /// The steps of reading all of the value.
    var size: Int {
        switch self {
        case .null, .bool: 0
        case .number(let number): number.digitCount / 16
        case .string(let text): text.utf8.count / 16
        case .array(let array): Int(array.measure.size)
        case .object(let object): Int(object.measure.size)
        }
    }

    var depth: Int {
        switch self {
        case .array(let array): Int(array.measure.depth)
        case .object(let object): Int(object.measure.depth)
        default: 0
        }
    }
}
