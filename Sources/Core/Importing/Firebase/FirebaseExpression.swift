internal import AlmanacTargeting

/// A comparison in a condition of Firebase Remote Config.
enum FirebaseAtom {
    case constant(Bool)
    /// A part of all units: the bucket is above the lower bound and at most the upper one, in millionths of a percent.
    case percent(seed: String, lower: Int64, upper: Int64)
    case texts(FirebaseAttribute, TextOperator, [String])
    case number(FirebaseAttribute, Relation, Double)
    case version(FirebaseAttribute, Relation, String)
    case oneOf(FirebaseAttribute, [String], ignoresCase: Bool, isNegated: Bool)
    /// A comparison of the current time, or of an attribute, with a time of RFC 3339.
    case time(FirebaseAttribute?, Relation, String)

    enum TextOperator: String {
        case exactlyMatches, contains, notContains, matches
    }

    enum Relation: String {
        case less = "<"
        case lessOrEqual = "<="
        case equal = "=="
        case notEqual = "!="
        case greaterOrEqual = ">="
        case greater = ">"

        /// The relation of Almanac's operators for versions and times.
        var inAlmanac: String { self == .equal ? "=" : rawValue }
    }
}

/// An attribute by its name in reports, with its place in a context.
struct FirebaseAttribute {
    let source: String
    let path: [String]

    static let installation = FirebaseAttribute(source: "firebaseInstallationId", path: ["targetingKey"])

    /// An attribute of the app or the device, such as `app.version`.
    init(_ group: String, _ name: String) {
        source = "\(group).\(name)"
        path = [group, name]
    }

    /// A custom signal or a user property, which is an attribute at the top.
    init(_ kind: String, named name: String) {
        source = "\(kind).\(name)"
        let isTaken = ["app", "device", "targetingKey"].contains(name) || name.hasPrefix("$flagd")
        path = [isTaken ? "\(kind)_\(name)" : name]
    }

    private init(source: String, path: [String]) { (self.source, self.path) = (source, path) }
}

/// A parser for expressions of conditions, such as `device.os == 'ios' && percent <= 10`.
struct FirebaseExpression {
    private let scalars: [Unicode.Scalar]
    private var offset = 0

    /// An expression that the parser does not know, with the reason.
    struct Fault: Error {
        let reason: String
    }

    static func atoms(_ text: String) throws(Fault) -> [FirebaseAtom] {
        var parser = FirebaseExpression(scalars: Array(text.unicodeScalars))
        var atoms = [try parser.atom()]
        while parser.take("&&") { atoms.append(try parser.atom()) }
        guard parser.next == nil else { throw parser.unexpected() }
        return atoms
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private mutating func atom() throws(Fault) -> FirebaseAtom {
        let name = word()
        switch name {
        case "true": return .constant(true)
        case "false": return .constant(false)
        case "percent": return try percent()
        case "dateTime", "device.dateTime":
            let relation = try timeRelation()
            guard word() == "dateTime" else { throw unexpected() }
            return .time(nil, relation, try time())
        case "app.firstOpenTimestamp", "firstOpenTimestamp":
            let relation = try timeRelation()
            if peek("d"), word() != "dateTime" { throw unexpected() }
            return .time(FirebaseAttribute("app", "firstOpenTimestamp"), relation, try time())
        case "app.id": return try isEqual(FirebaseAttribute("app", "id"), ignoresCase: false)
        case "device.os": return try isEqual(FirebaseAttribute("device", "os"), ignoresCase: true)
        case "device.country", "device.language":
            let values = try list(after: "in")
            return .oneOf(
                FirebaseAttribute("device", String(name.dropFirst(7))), values, ignoresCase: true, isNegated: false)
        case "app.firebaseInstallationId", "firebaseInstallationId":
            return .oneOf(.installation, try list(after: "in"), ignoresCase: false, isNegated: false)
        case "app.version.", "app.build.":
            return try method(FirebaseAttribute("app", String(name.dropFirst(4).dropLast())), name: word())
        case "version":
            guard take("("), let attribute = try property(word()), take(")") else { throw unexpected() }
            return .version(attribute, try relation(), try version(text()))
        default: break
        }
        for prefix in ["app.version.", "app.build."] where name.hasPrefix(prefix) {
            let attribute = FirebaseAttribute("app", String(prefix.dropFirst(4).dropLast()))
            return try method(attribute, name: String(name.dropFirst(prefix.count)))
        }
        if let attribute = try property(name) {
            if take(".") { return try method(attribute, name: word(), takesVersions: false) }
            return .number(attribute, try relation(), try number())
        }
        let known = [
            "app.audiences": "audiences of Google Analytics", "app.importedSegments": "imported segments",
            "app.operatingSystemAndVersion": "the version of an operating system",
            "app.browserAndVersion": "the version of a browser",
        ]
        for (element, meaning) in known where name.hasPrefix(element) {
            throw Fault(reason: "the condition is about \(meaning)")
        }
        throw name.isEmpty ? unexpected() : Fault(reason: "the condition has an unknown element \(name)")
    }

    private mutating func percent() throws(Fault) -> FirebaseAtom {
        var seed = ""
        if take("(") {
            seed = try text()
            guard take(")") else { throw unexpected() }
        }
        if take("between") {
            let lower = try micropercent()
            guard take("and") else { throw unexpected() }
            return .percent(seed: seed, lower: lower, upper: try micropercent())
        }
        switch try relation() {
        case .lessOrEqual: return .percent(seed: seed, lower: -1, upper: try micropercent())
        case .greater: return .percent(seed: seed, lower: try micropercent(), upper: 100_000_000)
        case let other: throw Fault(reason: "a percentage is compared by \(other.rawValue)")
        }
    }

    /// Reads a percentage in millionths.
    private mutating func micropercent() throws(Fault) -> Int64 {
        let maxDigits = 3
        let digits = digits()
        var micro = (Int64(digits.prefix(maxDigits)) ?? 0) * 1_000_000
        if take(".") {
            let fraction = self.digits()
            guard (1...6).contains(fraction.count) else { throw Fault(reason: "a percentage has too many digits") }
            micro += Int64(fraction + String(repeating: "0", count: 6 - fraction.count)) ?? 0
        }
        guard (1...maxDigits).contains(digits.count), micro <= 100_000_000 else {
            throw Fault(reason: "a percentage must be a number from 0 to 100")
        }
        return micro
    }

    /// Reads an operator in the form of a method: `contains(['a', 'b'])`, and for versions `>=(['1.0.0'])`.
    private mutating func method(
        _ attribute: FirebaseAttribute, name: String, takesVersions: Bool = true
    ) throws(Fault) -> FirebaseAtom {
        if let known = FirebaseAtom.TextOperator(rawValue: name) { return .texts(attribute, known, try list(in: "(")) }
        guard name.isEmpty else { throw Fault(reason: "the operator \(name) is unknown") }
        guard takesVersions else { throw unexpected() }
        let relation = try relation()
        let values = try list(in: "(")
        guard values.count == 1 else { throw Fault(reason: "a version is compared with several versions") }
        return .version(attribute, relation, try version(values[0]))
    }

    private mutating func isEqual(_ attribute: FirebaseAttribute, ignoresCase: Bool) throws(Fault) -> FirebaseAtom {
        switch try relation() {
        case .equal: .oneOf(attribute, [try text()], ignoresCase: ignoresCase, isNegated: false)
        case .notEqual: .oneOf(attribute, [try text()], ignoresCase: ignoresCase, isNegated: true)
        case let other: throw Fault(reason: "\(attribute.source) is compared by \(other.rawValue)")
        }
    }

    /// Reads the key of a custom signal or a user property, or returns nil for another element.
    private mutating func property(_ name: String) throws(Fault) -> FirebaseAttribute? {
        guard ["app.customSignal", "app.userProperty"].contains(name) else { return nil }
        guard take("[") else { throw unexpected() }
        let key = try text()
        guard take("]"), !key.isEmpty else { throw unexpected() }
        return FirebaseAttribute(String(name.dropFirst(4)), named: key)
    }

    private func version(_ text: String) throws(Fault) -> String {
        guard FirebaseReader.isVersion(text) else {
            throw Fault(reason: "\"\(text)\" is not a version of up to five numbers")
        }
        return text
    }

    private mutating func timeRelation() throws(Fault) -> FirebaseAtom.Relation {
        let relation = try relation()
        guard relation != .equal, relation != .notEqual else { throw Fault(reason: "times are compared for equality") }
        return relation
    }

    /// Reads a time with an optional zone, such as `('2025-06-01T00:00:00', 'Europe/Berlin')`.
    private mutating func time() throws(Fault) -> String {
        guard take("(") else { throw unexpected() }
        let local = try text()
        let zone = take(",") ? try text() : "UTC"
        guard take(")") else { throw unexpected() }
        let text = local.utf8.count == 16 ? local + ":00" : local
        if Instant(.string(text), isLenient: false) != nil, zone == "UTC" { return text }
        guard text.utf8.count == 19, Instant(.string(text + "Z"), isLenient: false) != nil else {
            throw Fault(reason: "\"\(local)\" is not a time such as 2025-06-01T00:00:00")
        }
        guard let rules = FirebaseZone(zone) else { throw Fault(reason: "the time zone \(zone) is unknown") }
        let parts = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard
            let offset = rules.offset(year: parts[0], month: parts[1], day: parts[2], minute: parts[3] * 60 + parts[4])
        else { throw Fault(reason: "\(local) is no single time in \(zone)") }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if offset == 0 { return text + "Z" }
        return text + (offset < 0 ? "-" : "+") + two(abs(offset) / 60) + ":" + two(abs(offset) % 60)
    }

    private mutating func list(after word: String) throws(Fault) -> [String] {
        guard self.word() == word else { throw unexpected() }
        return try list(in: "")
    }

    /// Reads a list of texts, which may stand in parentheses.
    private mutating func list(in parenthesis: String) throws(Fault) -> [String] {
        guard take(parenthesis), take("[") else { throw unexpected() }
        var texts: [String] = []
        repeat { texts.append(try text()) } while take(",")
        guard take("]"), parenthesis.isEmpty || take(")") else { throw unexpected() }
        return texts
    }

    private mutating func relation() throws(Fault) -> FirebaseAtom.Relation {
        for name in ["<=", ">=", "==", "!=", "<", ">"] where take(name) {
            if let relation = FirebaseAtom.Relation(rawValue: name) { return relation }
        }
        throw unexpected()
    }

    private mutating func text() throws(Fault) -> String {
        guard let quote = next, quote == "'" || quote == "\"" else { throw unexpected() }
        offset += 1
        var text = ""
        while offset < scalars.count, scalars[offset] != quote {
            guard scalars[offset] != "\\" else {
                throw Fault(reason: "a text has a backslash, which Firebase does not document")
            }
            text.unicodeScalars.append(scalars[offset])
            offset += 1
        }
        guard offset < scalars.count else { throw Fault(reason: "a text in the condition has no end") }
        offset += 1
        return text
    }

    private mutating func number() throws(Fault) -> Double {
        let sign = take("-") ? "-" : ""
        var digits = self.digits()
        if take(".") { digits += "." + self.digits() }
        guard let number = Double(sign + digits) else { throw unexpected() }
        return number
    }

    private mutating func digits() -> String {
        _ = next
        var digits = ""
        while offset < scalars.count, ("0"..."9").contains(scalars[offset]) {
            digits.unicodeScalars.append(scalars[offset])
            offset += 1
        }
        return digits
    }

    /// Reads letters and dots.
    private mutating func word() -> String {
        _ = next
        var word = ""
        while offset < scalars.count, scalars[offset] == "." || scalars[offset].properties.isAlphabetic {
            word.unicodeScalars.append(scalars[offset])
            offset += 1
        }
        return word
    }

    /// The next scalar that is not a space.
    private var next: Unicode.Scalar? {
        mutating get {
            while offset < scalars.count, scalars[offset] == " " { offset += 1 }
            return offset < scalars.count ? scalars[offset] : nil
        }
    }

    private mutating func peek(_ scalar: Unicode.Scalar) -> Bool { next == scalar }

    private mutating func take(_ token: String) -> Bool {
        _ = next
        guard scalars[min(offset, scalars.count)...].starts(with: token.unicodeScalars) else { return false }
        offset += token.unicodeScalars.count
        return true
    }

    private func unexpected() -> Fault {
        Fault(reason: "the condition has unexpected syntax at character \(offset + 1)")
    }
}
