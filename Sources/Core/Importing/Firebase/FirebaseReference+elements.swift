internal import AlmanacTargeting

extension FirebaseReference {
    /// A value of a custom signal or a user property as a text.
    struct Signal {
        let text: String

        /// Returns a text or a number as a text, or nil for other values.
        static func text(_ value: FlagValue?) -> String? {
            switch value {
            case .string(let text)?: text
            case .number(let number)?:
                number.double == number.double.rounded() && number.double.magnitude < 1e15
                    ? Int(number.double).description : number.double.description
            default: nil
            }
        }

        /// Compares by an operator of a tree.
        func compares(_ name: String, _ targets: [String]) -> Bool {
            guard let target = targets.first else { return false }
            switch name {
            case "STRING_CONTAINS": return contains(targets)
            case "STRING_DOES_NOT_CONTAIN": return !contains(targets)
            case "STRING_EXACTLY_MATCHES": return equals(targets)
            case "STRING_CONTAINS_REGEX": return targets.contains { SourcePattern($0)?.finds(in: text) ?? false }
            case "NUMERIC_LESS_THAN": return number(target) { $0 < $1 }
            case "NUMERIC_LESS_EQUAL": return number(target) { $0 <= $1 }
            case "NUMERIC_EQUAL": return number(target) { $0 == $1 }
            case "NUMERIC_NOT_EQUAL": return number(target) { $0 != $1 }
            case "NUMERIC_GREATER_THAN": return number(target) { $0 > $1 }
            case "NUMERIC_GREATER_EQUAL": return number(target) { $0 >= $1 }
            case "SEMANTIC_VERSION_LESS_THAN": return order(target).map { $0 < 0 } ?? false
            case "SEMANTIC_VERSION_LESS_EQUAL": return order(target).map { $0 <= 0 } ?? false
            case "SEMANTIC_VERSION_EQUAL": return order(target).map { $0 == 0 } ?? false
            case "SEMANTIC_VERSION_NOT_EQUAL": return order(target).map { $0 != 0 } ?? false
            case "SEMANTIC_VERSION_GREATER_THAN": return order(target).map { $0 > 0 } ?? false
            case "SEMANTIC_VERSION_GREATER_EQUAL": return order(target).map { $0 >= 0 } ?? false
            default: return false
            }
        }

        private func contains(_ targets: [String]) -> Bool {
            targets.contains { $0.isEmpty || Array(text.utf8).contains(Array($0.utf8)) }
        }

        private func equals(_ targets: [String]) -> Bool { targets.contains { Self.trimmed($0) == Self.trimmed(text) } }

        private static func trimmed(_ text: String) -> [UInt8] {
            func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
            return text.utf8.drop { isSpace($0) }.reversed().drop { isSpace($0) }.reversed()
        }

        private func number(_ target: String, _ holds: (Double, Double) -> Bool) -> Bool {
            let mine = Double(String(decoding: Self.trimmed(text), as: UTF8.self)) ?? .nan
            guard let theirs = Double(target), mine.isFinite else { return false }
            return holds(mine, theirs)
        }

        /// Returns a negative number if the version precedes the target, 0 if both are equal, and nil for no version.
        private func order(_ target: String) -> Int? {
            func parts(_ text: String) -> [Int]? {
                let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
                    part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
                }
                return parts.count <= 5 && !parts.contains(nil) ? parts.compactMap { $0 } : nil
            }
            guard var mine = parts(text), var theirs = parts(target) else { return nil }
            while mine.count < 5 { mine.append(0) }
            while theirs.count < 5 { theirs.append(0) }
            return mine.lexicographicallyPrecedes(theirs) ? -1 : mine == theirs ? 0 : 1
        }
    }

    /// An element of an expression, read without a check of its syntax, which the reader has checked.
    struct Element {
        /// The name in a caller, or an empty text for the time and for percentages.
        let attribute: String
        private let text: String
        /// The texts in quotation marks behind the attribute.
        private let quoted: [String]

        static func elements(_ expression: String) -> [Element] {
            var parts: [String] = [""]
            var quote: Character?
            for character in expression {
                if let open = quote {
                    if character == open { quote = nil }
                } else if character == "'" || character == "\"" {
                    quote = character
                } else if character == "&" {
                    if parts.last != "" { parts.append("") }
                    continue
                }
                parts[parts.count - 1].append(character)
            }
            return parts.map { Element($0) }
        }

        private init(_ part: String) {
            var (outside, quoted): (String, [String]) = ("", [])
            var quote: Character?
            for character in part {
                if let open = quote {
                    if character == open { quote = nil } else { quoted[quoted.count - 1].append(character) }
                } else if character == "'" || character == "\"" {
                    quote = character
                    quoted.append("")
                    outside += "#"
                } else if character != " " {
                    outside.append(character)
                }
            }
            text = outside
            let isNamed = outside.contains("app.customSignal[") || outside.contains("app.userProperty[")
            self.quoted = isNamed ? Array(quoted.dropFirst()) : quoted
            attribute = Self.attribute(outside, isNamed ? quoted.first ?? "" : "")
        }

        private static func attribute(_ text: String, _ key: String) -> String {
            if text.contains("app.customSignal[") { return "customSignal.\(key)" }
            if text.contains("app.userProperty[") { return "userProperty.\(key)" }
            if text.hasPrefix("firebaseInstallationId") || text.hasPrefix("app.firebaseInstallationId") {
                return "firebaseInstallationId"
            }
            if text.contains("firstOpenTimestamp") { return "app.firstOpenTimestamp" }
            for name in ["app.version", "app.build", "app.id", "device.os", "device.country", "device.language"]
            where text.hasPrefix(name) {
                return name
            }
            return ""
        }

        /// The comparison outside quotation marks.
        private var relation: String {
            for name in ["<=", ">=", "==", "!=", "<", ">"] where text.contains(name) { return name }
            return ""
        }

        var probes: [FlagValue] {
            if attribute == "app.firstOpenTimestamp" {
                return [
                    1_700_000_000, 1_748_728_800, 1_748_728_799, "2025-06-01T00:00:00+02:00", "2025-05-31T21:59:59Z",
                    "soon",
                    true,
                ]
            }
            let number = text.split { !("-0.123456789".contains($0)) }.last.map { String($0) }
            return (quoted + [number].compactMap { $0 }).flatMap { FirebaseReference.probes(beside: $0) }
        }

        func holds(_ caller: [String: FlagValue], _ now: Int64) -> Bool {
            if text == "true" || text == "false" { return text == "true" }
            if text.hasPrefix("percent") { return isInPercentage(caller) }
            if text.contains("dateTime(") || attribute == "app.firstOpenTimestamp" { return isInTime(caller, now) }
            let value = caller[attribute]
            let isDevice = attribute.hasPrefix("device.")
            if isDevice || attribute == "app.id" || attribute == "firebaseInstallationId" {
                guard case .string(let own)? = value else { return false }
                let isIn = quoted.contains { isDevice ? $0.lowercased() == own.lowercased() : $0 == own }
                return isIn != (relation == "!=")
            }
            guard let own = Signal.text(value) else { return false }
            let signal = Signal(text: own)
            let methods = [
                ".exactlyMatches(": "STRING_EXACTLY_MATCHES", ".notContains(": "STRING_DOES_NOT_CONTAIN",
                ".contains(": "STRING_CONTAINS", ".matches(": "STRING_CONTAINS_REGEX",
            ]
            for (method, name) in methods where text.contains(method) { return signal.compares(name, quoted) }
            let relations = [
                "<": "LESS_THAN", "<=": "LESS_EQUAL", "==": "EQUAL", "!=": "NOT_EQUAL", ">": "GREATER_THAN",
                ">=": "GREATER_EQUAL",
            ]
            guard let name = relations[relation] else { return false }
            if !quoted.isEmpty { return signal.compares("SEMANTIC_VERSION_" + name, quoted) }
            let number = text.split(separator: relation).last.map { String($0) } ?? ""
            return signal.compares("NUMERIC_" + name, [number])
        }

        private func isInPercentage(_ caller: [String: FlagValue]) -> Bool {
            guard let bucket = FirebaseReference.bucket(of: caller, seed: quoted.first ?? "") else { return false }
            let numbers = text.split { !(".0123456789".contains($0)) }.compactMap { Double($0) }
                .map { ($0 * 1_000_000).rounded() }
            guard let first = numbers.first, let last = numbers.last else { return false }
            if text.contains("between") { return bucket > first && bucket <= last }
            return relation == "<=" ? bucket <= first : bucket > first
        }

        private func isInTime(_ caller: [String: FlagValue], _ now: Int64) -> Bool {
            var mine = Double(now) * 1000
            if attribute == "app.firstOpenTimestamp" {
                switch caller[attribute] {
                case .number(let number)?: mine = (number.double * 1000).rounded()
                case .string(let text)?:
                    guard let instant = Instant(.string(text), isLenient: false) else { return false }
                    mine = Double(instant.milliseconds)
                default: return false
                }
            }
            guard let local = quoted.first else { return false }
            let full = local.utf8.count == 16 ? local + ":00" : local
            var time = Instant(.string(full), isLenient: false)?.milliseconds
            if time == nil, let utc = Instant(.string(full + "Z"), isLenient: false)?.milliseconds {
                let parts = full.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
                let zone = quoted.count > 1 ? quoted[1] : "UTC"
                let offset = FirebaseZone(zone)?.offset(
                    year: parts[0], month: parts[1], day: parts[2], minute: parts[3] * 60 + parts[4])
                time = offset.map { utc - Int64($0) * 60_000 }
            }
            guard let time else { return false }
            switch relation {
            case "<": return mine < Double(time)
            case "<=": return mine <= Double(time)
            case ">": return mine > Double(time)
            default: return mine >= Double(time)
            }
        }
    }
}
