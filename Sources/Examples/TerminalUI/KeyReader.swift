/// A key press.
public enum Key: Sendable, Hashable {
    case text(Character)
    /// A letter pressed together with Ctrl.
    case control(Character)
    case enter, backspace, delete, left, right, up, down, home, end
}

/// A parser of the bytes that a terminal sends for key presses (ECMA-48 and xterm's control sequences).
public struct KeyReader: Sendable {
    /// The received bytes of an incomplete character or sequence.
    private var pending: [UInt8] = []

    /// The longest sequence that a keyboard sends, in bytes.
    private static let longest = 32

    public init() {}

    public mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            pending.append(byte)
            switch Self.meaning(of: pending) {
            case .unfinished where pending.count < Self.longest: continue
            case .unfinished, .nothing: break
            case .key(let key): keys.append(key)
            }
            pending = []
        }
        return keys
    }

    private enum Meaning {
        case unfinished
        case nothing
        case key(Key)
    }

    private static func meaning(of bytes: [UInt8]) -> Meaning {
        switch bytes[0] {
        case 0x1B: sequence(bytes)
        case 0x0D, 0x0A: .key(.enter)
        case 0x7F, 0x08: .key(.backspace)
        case 0x09: .key(.text("\t"))
        case 0x01...0x1A: .key(.control(Character(Unicode.Scalar(bytes[0] + 0x60))))
        case ..<0x20: .nothing
        default: character(bytes)
        }
    }

    private static func character(_ bytes: [UInt8]) -> Meaning {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        if bytes.count < length { return .unfinished }
        guard let text = String(validating: bytes, as: UTF8.self), text.count == 1 else { return .nothing }
        return .key(.text(Character(text)))
    }

    private static func sequence(_ bytes: [UInt8]) -> Meaning {
        guard bytes.count > 1 else { return .unfinished }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return .nothing }
        guard bytes.count > 2, let last = bytes.last else { return .unfinished }
        switch last {
        case 0x20...0x3F: return .unfinished
        case 0x40...0x7E: return names[String(decoding: bytes.dropFirst(2), as: UTF8.self)].map { .key($0) } ?? .nothing
        default: return .nothing
        }
    }

    private static let names: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end,
        "8~": .end, "3~": .delete,
    ]
}
