/// Gives names that differ from each other by their bytes. Many equal names take no more than linear time.
struct UniqueNames {
    private var taken: Set<[UInt8]> = []
    /// The next number to try behind a name.
    private var numbers: [[UInt8]: Int] = [:]

    func contains(_ name: String) -> Bool { taken.contains(Array(name.utf8)) }

    /// Returns a name that was not given before: the wanted one, or the wanted one with a number.
    ///
    /// - Parameter separator: The text before the number.
    mutating func add(_ wanted: String, separator: String = "-") -> String {
        if taken.insert(Array(wanted.utf8)).inserted { return wanted }
        var number = numbers[Array(wanted.utf8)] ?? 2
        while !taken.insert(Array("\(wanted)\(separator)\(number)".utf8)).inserted { number += 1 }
        numbers[Array(wanted.utf8)] = number + 1
        return "\(wanted)\(separator)\(number)"
    }
}
