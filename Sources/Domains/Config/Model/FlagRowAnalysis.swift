internal import AlmanacTargeting

/// The faults of flags among the rows of majors, computed once for the majors that share the rows.
struct FlagRowAnalysis {
    /// Identifies a row in one state. All rows that a release writes for a key have the same value.
    private struct Row: Hashable {
        let key: String
        let id: Int64
        let revision: Int64

        init(_ entry: Entry) { (key, id, revision) = (entry.key, entry.id, entry.revision) }
    }

    private var faults: [[Row]: [DefinitionFault]] = [:]
    private var references: [Row: Set<String>] = [:]

    /// Returns the faults of some flags, and of the flags that are connected with them by references.
    ///
    /// - Parameters:
    ///   - rows: The rows that a major sees.
    ///   - changed: The keys of flags whose broken references count as faults too.
    mutating func faults(of keys: Set<String>, among rows: [Entry], _ changed: Set<String>) -> [DefinitionFault] {
        let connected = connected(with: keys, among: rows)
        let place = connected.map(Row.init)
        if let known = faults[place] { return known }
        let found = DefinitionFault.all(of: connected, changed)
        faults[place] = found
        return found
    }

    /// Returns the shared settings, the rows of some flags, the rows that refer to these, and the rows that any of them
    /// refers to.
    private mutating func connected(with keys: Set<String>, among rows: [Entry]) -> [Entry] {
        let references = rows.map { self.references(of: $0) }
        let sharedRulesRefer = zip(rows, references).contains { $0.kind == .flagSet && !$1.isEmpty }
        guard !keys.contains(EntryKind.flagSetKey), !sharedRulesRefer else { return rows }
        var chosen = keys
        func grow(_ found: (Entry, Set<String>) -> Set<String>) {
            var count = 0
            repeat {
                count = chosen.count
                for (row, others) in zip(rows, references) { chosen.formUnion(found(row, others)) }
            } while chosen.count > count
        }
        grow { row, others in others.isDisjoint(with: chosen) ? [] : [row.key] }
        grow { row, others in chosen.contains(row.key) ? others : [] }
        return rows.filter { $0.kind == .flagSet || chosen.contains($0.key) }
    }

    private mutating func references(of row: Entry) -> Set<String> {
        let place = Row(row)
        if let known = references[place] { return known }
        var found: Set<String> = []
        if let value = row.value, value.mayReferToFlags {
            (try? FlagValue(stored: value))?.collectReferences(into: &found)
        }
        references[place] = found
        return found
    }
}

extension [UInt8] {
    /// True if the bytes contain `.flag`. Most definitions refer to no flag and need not be parsed.
    fileprivate var mayReferToFlags: Bool {
        let end = Array(".flag".utf8)
        return indices.contains { self[$0] == end[0] && self[$0...].starts(with: end) }
    }
}

extension FlagValue {
    /// Collects the keys of flags that rules refer to with `almanac.flag`.
    fileprivate func collectReferences(into keys: inout Set<String>) {
        switch self {
        case .array(let elements): for element in elements { element.collectReferences(into: &keys) }
        case .object(let object):
            for member in object.members {
                if member.name == "almanac.flag" {
                    var operand: FlagValue? = member.value
                    if case .array(let operands) = member.value { operand = operands.first }
                    if case .string(let key)? = operand { keys.insert(key) }
                }
                member.value.collectReferences(into: &keys)
            }
        default: break
        }
    }
}
