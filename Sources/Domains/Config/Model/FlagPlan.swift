internal import AlmanacJSON
internal import AlmanacTargeting
internal import AlmanacTimestamps

extension ReleasePlan {
    /// True if the release changes flags or their shared settings.
    var touchesFlags: Bool { changes.contains { $0.kind != .value || $0.kindBefore != nil } }
}

/// The effect of a release on the flags of clients without a pin and of clients of each major.
struct FlagPlan {
    private let plan: ReleasePlan
    /// The rows of flags and shared settings, of all majors, before the release and after it.
    private let before: [Entry]
    private let after: [Entry]
    let changed: Set<String>
    /// The faults in the flags of clients without a pin, after the release.
    private let faults: [DefinitionFault]
    /// The flags of clients without a pin, after the release.
    let flagsAfter: FlagSet

    /// The flags of clients without a pin, before the release.
    var flagsBefore: FlagSet { FlagSource(Self.seen(before, by: nil)).compiled() }

    /// - Parameter rows: The rows of flags and shared settings, of all majors, tombstones included.
    init(_ plan: ReleasePlan, on rows: [Entry]) {
        self.plan = plan
        before = rows
        after = plan.flagRows(after: rows)
        changed = Set(plan.changes.map(\.key))
        let source = FlagSource(Self.seen(after, by: nil))
        flagsAfter = source.compiled()
        faults = DefinitionFault.all(of: source, flagsAfter, changed)
    }

    /// Refuses a release that breaks a flag, or that changes a flag and leaves it broken.
    ///
    /// A broken flag may still be switched off and on.
    func check() throws(ConfigRefusal) {
        guard !faults.isEmpty else { return }
        let switched = plan.changes.filter(\.onlySwitchesFlag).map(\.key)
        let known = Set(DefinitionFault.all(of: Self.seen(before, by: nil), changed))
        let refused = faults.filter { fault in
            !known.contains(fault) || changed.contains(fault.key) && !switched.contains(fault.key)
        }
        guard refused.isEmpty else { throw .invalidFlags(refused) }
    }

    /// Returns the keys whose changes a major must not receive, because they would break a flag there, each with the
    /// fault. A major may have other flags and shared rules than the newest config.
    ///
    /// - Parameter analysis: What is known of rows from other majors.
    func keysToKeep(in major: Int, _ analysis: inout FlagRowAnalysis) -> [String: DefinitionFault] {
        let (old, new) = (Self.seen(before, by: major), Self.seen(after, by: major))
        guard !old.elementsEqual(new, by: { $0.isSameRow(as: $1) }) else { return [:] }
        // Most majors have the same flags as clients without a pin.
        guard !self.faults.isEmpty || !new.elementsEqual(Self.seen(after, by: nil), by: { $0 === $1 }) else {
            return [:]
        }
        let rows = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
        let received = Set(new.filter { row in rows[row.key]?.isSameRow(as: row) != true }.map(\.key))
        let faults = analysis.faults(of: received, among: new, changed)
        guard !faults.isEmpty else { return [:] }
        let known = Set(analysis.faults(of: received, among: old, changed))
        let caused = faults.filter { !known.contains($0) }
        guard let first = caused.first else { return [:] }
        let broken = Dictionary(caused.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let causes = broken.filter { received.contains($0.key) }
        // If the broken flags themselves did not change, a reference broke them, so the major receives no change.
        return causes.isEmpty ? Dictionary(uniqueKeysWithValues: received.map { ($0, first) }) : causes
    }

    private static func seen(_ rows: [Entry], by major: Int?) -> [Entry] {
        rows.filter { row in !row.isTombstone && (major.map { row.majors.contains($0) } ?? row.isNewest) }
    }
}

extension ReleasePlan {
    /// Returns the rows of flags and shared settings after the release, sorted by key and majors.
    fileprivate func flagRows(after rows: [Entry]) -> [Entry] {
        let majors = Dictionary(uniqueKeysWithValues: (shrunk + grown).map { ($0.row, $0.majors) })
        let copies = Dictionary(grouping: copies, by: \.row)
        let gone = Set(deleted + updates.compactMap(\.row))
        var after: [Entry] = []
        for row in rows where !gone.contains(row.id) {
            after.append(majors[row.id].map { row.seen(by: $0) } ?? row)
            after += (copies[row.id] ?? []).map { row.seen(by: $0.majors) }
        }
        after += (updates + inserts).filter { $0.kind != .value }.map { write in
            Entry(
                id: 0, key: write.key, kind: write.kind, majors: write.majors, value: write.value, description: "",
                revision: 0, updatedAt: Timestamp(milliseconds: 0))
        }
        return after.sorted { $0.precedes($1) }
    }
}

extension Change {
    /// True if nothing but the state of a flag changes.
    fileprivate var onlySwitchesFlag: Bool {
        guard kind == .flag, kindBefore == nil, let before = before?.objectValue, let after = after?.objectValue else {
            return false
        }
        return before.removing("state") == after.removing("state")
    }
}

extension DefinitionFault {
    /// Returns the faults of the flags in some rows.
    ///
    /// - Parameter changed: The keys of flags whose broken references count as faults too.
    static func all(of rows: [Entry], _ changed: Set<String>) -> [DefinitionFault] {
        let source = FlagSource(rows)
        return all(of: source, source.compiled(), changed)
    }

    /// Returns the same faults for flags that are already compiled.
    fileprivate static func all(of source: FlagSource, _ set: FlagSet, _ changed: Set<String>) -> [DefinitionFault] {
        let unreadable = Set(source.unreadable.map(\.key))
        var faults = source.unreadable + source.shared.faults
        faults += set.faults.map(DefinitionFault.init).filter { !unreadable.contains($0.key) }
        var named = Set(faults.map(\.key))
        for flag in set.flags where changed.contains(flag.key) {
            guard let fault = flag.fault, named.insert(flag.key).inserted else { continue }
            faults.append(
                DefinitionFault(key: flag.key, path: "/targeting", message: "\(fault.message), at \(fault.path)"))
        }
        return faults
    }

    /// - Parameter fault: A fault with a path in the whole set.
    private init(_ fault: FlagFault) {
        let parts = fault.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        message = fault.message
        // A key contains no characters that a JSON pointer escapes.
        if parts.count >= 2, parts[0] == "flags" {
            key = String(parts[1])
            path = parts.count > 2 ? "/" + parts[2] : ""
        } else {
            key = EntryKind.flagSetKey
            path = fault.path
        }
    }
}
