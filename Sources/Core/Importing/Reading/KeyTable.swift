internal import AlmanacForms

/// The keys in Almanac of the flags of another system. A name that is no key is changed to one.
struct KeyTable {
    /// The keys by the bytes of the names, because names with equal characters may have different bytes.
    private var keys: [[UInt8]: String] = [:]
    private var taken: Set<String> = []
    /// The next number to try behind a key.
    private var numbers: [String: Int] = [:]

    /// Gives each name a key. A name that is a key stays as it is.
    init(_ names: some Sequence<String>) {
        let names = Array(names)
        for name in names where EntryKey.isValid(name) && !Self.isReserved(name) { add(name, as: name) }
        for name in names.sorted() where self[name] == nil { add(name, as: unused(Self.changed(name))) }
    }

    /// Returns the key of a name that was given at the beginning.
    subscript(name: String) -> String? { keys[Array(name.utf8)] }

    private mutating func add(_ name: String, as key: String) {
        keys[Array(name.utf8)] = key
        taken.insert(key)
    }

    private mutating func unused(_ key: String) -> String {
        if !taken.contains(key) { return key }
        let start = String(key.prefix(115))
        var number = numbers[start] ?? 2
        while taken.contains("\(start)-\(number)") { number += 1 }
        numbers[start] = number + 1
        return "\(start)-\(number)"
    }

    /// The key of shared rules is no flag's.
    private static func isReserved(_ name: String) -> Bool { name == "_flags" }

    private static func changed(_ name: String) -> String {
        let allowed = name.unicodeScalars.map { scalar -> Character in
            EntryKey.isValid("a\(scalar)") ? Character(scalar) : "-"
        }
        let key = String(allowed.prefix(128))
        return EntryKey.isValid(key) && !isReserved(key) ? key : "_\(key.prefix(127))"
    }
}
