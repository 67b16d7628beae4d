/// A semantic version (semver.org) for `sem_ver`: a leading `v` is optional, a missing part is 0, and the build
/// metadata behind a plus sign is ignored.
package struct SemanticVersion: Sendable {
    private var text: String
    private var major: UInt64 = 0
    private var minor: UInt64 = 0
    private var patch: UInt64 = 0
    /// The byte range of the prerelease label in the text; empty for a release.
    private var label = 0..<0

    package init?(_ text: String) {
        self.text = text
        var version = self
        guard text.withBytes({ version.read($0) }) else { return nil }
        self = version
    }

    private mutating func read(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        if !bytes.isEmpty, bytes[0] | 0x20 == UInt8(ascii: "v") { offset = 1 }
        guard let first = SemanticVersion.number(bytes, &offset) else { return false }
        major = first
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            guard let second = SemanticVersion.number(bytes, &offset) else { return false }
            minor = second
            if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
                offset += 1
                guard let third = SemanticVersion.number(bytes, &offset) else { return false }
                patch = third
            }
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") {
            let start = offset + 1
            guard SemanticVersion.skipIdentifiers(bytes, &offset, numbersWithoutZeros: true) else { return false }
            label = start..<offset
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") {
            guard SemanticVersion.skipIdentifiers(bytes, &offset, numbersWithoutZeros: false) else { return false }
        }
        return offset == bytes.count
    }

    enum Relation: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, sameMajor, sameMinor

        init?(_ text: String) {
            var bytes = text.utf8.makeIterator()
            switch (bytes.next(), bytes.next(), bytes.next()) {
            case (UInt8(ascii: "="), nil, _): self = .equal
            case (UInt8(ascii: "!"), UInt8(ascii: "="), nil): self = .notEqual
            case (UInt8(ascii: "<"), nil, _): self = .less
            case (UInt8(ascii: "<"), UInt8(ascii: "="), nil): self = .lessOrEqual
            case (UInt8(ascii: ">"), nil, _): self = .greater
            case (UInt8(ascii: ">"), UInt8(ascii: "="), nil): self = .greaterOrEqual
            case (UInt8(ascii: "^"), nil, _): self = .sameMajor
            case (UInt8(ascii: "~"), nil, _): self = .sameMinor
            default: return nil
            }
        }
    }

    func stands(in relation: Relation, to other: SemanticVersion) -> Bool {
        switch relation {
        case .equal: order(other) == 0
        case .notEqual: order(other) != 0
        case .less: order(other) < 0
        case .lessOrEqual: order(other) <= 0
        case .greater: order(other) > 0
        case .greaterOrEqual: order(other) >= 0
        case .sameMajor: major == other.major
        case .sameMinor: major == other.major && minor == other.minor
        }
    }

    /// Returns a negative number if this version precedes the other one, and 0 if both are equal.
    private func order(_ other: SemanticVersion) -> Int {
        if major != other.major { return major < other.major ? -1 : 1 }
        if minor != other.minor { return minor < other.minor ? -1 : 1 }
        if patch != other.patch { return patch < other.patch ? -1 : 1 }
        if label.isEmpty || other.label.isEmpty { return (label.isEmpty ? 1 : 0) - (other.label.isEmpty ? 1 : 0) }
        return text.withBytes { mine in
            other.text.withBytes { SemanticVersion.order(mine.extracting(label), $0.extracting(other.label)) }
        }
    }

    /// Compares two labels by their identifiers. A label that is a prefix of the other comes first.
    private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        var (mine, theirs) = (0, 0)
        while mine < left.count, theirs < right.count {
            let (myEnd, theirEnd) = (end(of: left, from: mine), end(of: right, from: theirs))
            let order = order(left.extracting(mine..<myEnd), identifier: right.extracting(theirs..<theirEnd))
            if order != 0 { return order }
            (mine, theirs) = (myEnd + 1, theirEnd + 1)
        }
        return (mine < left.count ? 1 : 0) - (theirs < right.count ? 1 : 0)
    }

    /// Compares two identifiers: numbers by value and before words, words by their bytes.
    private static func order(_ left: Span<UInt8>, identifier right: Span<UInt8>) -> Int {
        let (leftIsNumber, rightIsNumber) = (isNumber(left), isNumber(right))
        if leftIsNumber != rightIsNumber { return leftIsNumber ? -1 : 1 }
        if leftIsNumber, left.count != right.count { return left.count < right.count ? -1 : 1 }
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }

    private static func end(of label: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < label.count, label[end] != UInt8(ascii: ".") { end += 1 }
        return end
    }

    private static func isNumber(_ identifier: Span<UInt8>) -> Bool {
        for index in identifier.indices where !isDigit(identifier[index]) { return false }
        return true
    }

    /// Reads a number without leading zeros.
    private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> UInt64? {
        let start = offset
        var number: UInt64 = 0
        while offset < bytes.count, isDigit(bytes[offset]) {
            let (high, low) = number.multipliedFullWidth(by: 10)
            let (sum, overflow) = UInt64(low).addingReportingOverflow(UInt64(bytes[offset] - UInt8(ascii: "0")))
            guard high == 0, !overflow, offset == start || bytes[start] != UInt8(ascii: "0") else { return nil }
            number = sum
            offset += 1
        }
        return offset > start ? number : nil
    }

    /// Skips the sign before a list of identifiers, and the list.
    private static func skipIdentifiers(_ bytes: Span<UInt8>, _ offset: inout Int, numbersWithoutZeros: Bool) -> Bool {
        repeat {
            offset += 1
            let start = offset
            var isNumber = true
            while offset < bytes.count, isDigit(bytes[offset]) || isLetterOrHyphen(bytes[offset]) {
                if !isDigit(bytes[offset]) { isNumber = false }
                offset += 1
            }
            guard offset > start else { return false }
            if numbersWithoutZeros, isNumber, offset > start + 1, bytes[start] == UInt8(ascii: "0") { return false }
        } while offset < bytes.count && bytes[offset] == UInt8(ascii: ".")
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetterOrHyphen(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
