internal import AlmanacTargeting

/// A constraint, with the operators of Unleash, which compare texts.
struct UnleashComparison {
    let name: String
    let operation: String
    private let isInverted: Bool
    private let ignoresCase: Bool
    private let texts: [[UInt8]]
    private let constant: Constant

    /// The only constant of an operator, read once for all callers. Nil for a text that is none.
    private enum Constant {
        case number(Double?)
        case time(UnleashTime?)
        case version(UnleashVersion?)
        case pattern(SourcePattern?)
        case networks([UnleashNetwork])
        case texts
    }

    init(_ node: SourceNode) {
        name = node["contextName"]?.text ?? ""
        let operation = node["operator"]?.text ?? ""
        self.operation = operation
        isInverted = node["inverted"]?.bool == true
        let ignoresCase = node["caseInsensitive"]?.bool == true
        self.ignoresCase = ignoresCase && operation.hasPrefix("STR_")
        let values = node["values"]?.elements?.compactMap(\.text) ?? []
        let text = node["value"]?.text ?? ""
        // The engine skips spaces around a number, a time and a version.
        let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        switch operation.prefix(while: { $0 != "_" }) {
        case "NUM": constant = .number(Self.number(trimmed))
        case "DATE": constant = .time(UnleashTime(trimmed))
        case "SEMVER": constant = .version(UnleashVersion(trimmed))
        case "REGEX": constant = .pattern(SourcePattern((ignoresCase ? "(?i)" : "") + text))
        case "IN" where operation == "IN_CIDR": constant = .networks(values.compactMap { UnleashNetwork($0) })
        default: constant = .texts
        }
        texts = values.map { Array((ignoresCase && operation.hasPrefix("STR_") ? $0.lowercased() : $0).utf8) }
    }

    /// Returns true if a caller fulfils the constraint.
    func holds(_ context: UnleashContext) -> Bool {
        if case .time(let time) = constant, name == "currentTime", context[name] == nil {
            // The clients send the current time if the app does not.
            return holds(context.now, time) != isInverted
        }
        return holds(context[name]) != isInverted
    }

    private func holds(_ text: String?) -> Bool {
        if operation == "NOT_IN" { return text.map { !texts.contains(Array($0.utf8)) } ?? true }
        guard let text else { return false }
        switch constant {
        case .number(let right):
            guard let left = Self.number(text), let right else { return false }
            return compares(left, right, isEqual: (left - right).magnitude < Double.ulpOfOne)
        case .time(let time): return UnleashTime(text).map { holds($0, time) } ?? false
        case .version(let right):
            guard let left = UnleashVersion(text), let right else { return false }
            return compares(left, right, isEqual: left == right)
        case .pattern(let pattern): return pattern?.finds(in: text) ?? false
        case .networks(let networks): return networks.contains { $0.contains(text) }
        case .texts: return hasPart(Array((ignoresCase ? text.lowercased() : text).utf8))
        }
    }

    private func holds(_ time: UnleashTime, _ constant: UnleashTime?) -> Bool {
        guard let constant else { return false }
        return operation == "DATE_AFTER" ? constant < time : time < constant
    }

    private func hasPart(_ bytes: [UInt8]) -> Bool {
        texts.contains { part in
            switch operation {
            case "IN": return part == bytes
            case "STR_STARTS_WITH": return bytes.starts(with: part)
            case "STR_ENDS_WITH": return bytes.reversed().starts(with: part.reversed())
            case "STR_CONTAINS":
                guard part.count <= bytes.count else { return false }
                return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
            default: return false
            }
        }
    }

    private func compares<Value: Comparable>(_ left: Value, _ right: Value, isEqual: Bool) -> Bool {
        switch operation.drop(while: { $0 != "_" }) {
        case "_EQ": isEqual
        case "_GT": left > right
        case "_GTE": left >= right
        case "_LT": left < right
        default: left <= right
        }
    }

    /// Reads a number as Rust does: no spaces, no hexadecimal digits, but infinity.
    private static func number(_ text: String) -> Double? {
        let lower = text.lowercased()
        let name = lower.drop { $0 == "-" || $0 == "+" }
        if name == "inf" || name == "infinity", lower.utf8.count - name.utf8.count < 2 {
            return lower.hasPrefix("-") ? -.infinity : .infinity
        }
        guard text.utf8.contains(where: UnleashForm.isDigit),
            text.utf8.allSatisfy({ UnleashForm.isDigit($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(text)
    }
}

/// A semantic version without its build metadata, which Unleash does not compare.
struct UnleashVersion: Comparable {
    private let numbers: [UInt64]
    private let label: [Substring]

    init?(_ text: String) {
        let build = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = build[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers.allSatisfy({ Self.isNumber($0) }) else { return nil }
        let read = numbers.compactMap { UInt64($0) }
        guard read.count == 3 else { return nil }
        self.numbers = read
        label = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard label.allSatisfy({ Self.isIdentifier($0, mayBeginWithZero: false) }) else { return nil }
        guard
            build.count == 1
                || build[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({
                    Self.isIdentifier($0, mayBeginWithZero: true)
                })
        else { return nil }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(UnleashForm.isDigit) && (text == "0" || text.first != "0")
    }

    private static func isIdentifier(_ text: Substring, mayBeginWithZero: Bool) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 < 128 }),
            text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" })
        else { return false }
        return mayBeginWithZero || !text.utf8.allSatisfy(UnleashForm.isDigit) || isNumber(text)
    }

    static func < (left: UnleashVersion, right: UnleashVersion) -> Bool {
        if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        if left.label.isEmpty || right.label.isEmpty { return !left.label.isEmpty && right.label.isEmpty }
        for (mine, theirs) in zip(left.label, right.label) where mine != theirs {
            let (isNumber, isOtherNumber) = (Self.isNumber(mine), Self.isNumber(theirs))
            if isNumber != isOtherNumber { return isNumber }
            if isNumber, mine.utf8.count != theirs.utf8.count { return mine.utf8.count < theirs.utf8.count }
            return mine.utf8.lexicographicallyPrecedes(theirs.utf8)
        }
        return left.label.count < right.label.count
    }
}

/// A time of RFC 3339 in nanoseconds since 1970, with a space instead of the T too, as Unleash's engine reads it.
struct UnleashTime: Comparable {
    private let seconds: Int64
    private let nanoseconds: Int64

    init(seconds: Int64) { (self.seconds, nanoseconds) = (seconds, 0) }

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, "-- ::".utf8.elementsEqual([bytes[4], bytes[7], 32, bytes[13], bytes[16]]),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " ")
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy(UnleashForm.isDigit) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 48) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        var place = 19
        var fraction: Int64 = 0
        if bytes[place] == UInt8(ascii: ".") {
            let end = bytes[(place + 1)...].firstIndex { !UnleashForm.isDigit($0) } ?? bytes.count
            guard end > place + 1 else { return nil }
            for digit in 0..<9 {
                let index = place + 1 + digit
                fraction = fraction * 10 + (index < end ? Int64(bytes[index] - 48) : 0)
            }
            place = end
        }
        var offset: Int64 = 0
        let zone = Array(bytes[place...])
        if zone.count == 1 {
            guard zone[0] | 0x20 == UInt8(ascii: "z") else { return nil }
        } else {
            guard zone.count == 6, zone[3] == UInt8(ascii: ":"), let hours = number(place + 1..<place + 3),
                let minutes = number(place + 4..<place + 6), hours < 24, minutes < 60,
                zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-")
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (zone[0] == UInt8(ascii: "-") ? -1 : 1)
        }
        seconds = Self.days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
        nanoseconds = fraction
    }

    static func < (left: UnleashTime, right: UnleashTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Returns the days since 1970-01-01, counted month by month.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = year - 1
        let before = years * 365 + years / 4 - years / 100 + years / 400 - 719_162
        return before + (1..<month).reduce(0) { $0 + days(of: $1, in: year) } + day - 1
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return lengths[Int(month) - 1]
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}
