import AlmanacTargeting
import Testing

@testable import AlmanacConfigDomain

/// The guarantees for clients of each major from one release to the next.
struct FlagGuarantees {
    /// The flags by key, for each major that was served before the release.
    private let before: [Int: CompiledFlags]

    init(_ snapshot: Snapshot) {
        before = Dictionary(
            uniqueKeysWithValues: snapshot.majors.values.filter { $0.retiredAt == nil }.map {
                ($0.newest.major, snapshot.flags.compiled(for: $0.newest.major))
            })
    }

    /// Checks that every flag known to a pinned build still exists, with variants of the same types, and that no valid
    /// flag became invalid.
    ///
    /// - Parameter purged: the purged keys. In the newest major, a restored flag may refer to one of them.
    func expectKept(in snapshot: Snapshot, purged: Set<String>, _ failureNote: Comment) throws {
        for (major, old) in before where snapshot.majors[major]?.retiredAt == nil {
            let new = snapshot.flags.compiled(for: major)
            for flag in old.set.flags {
                let index = try #require(new.set.index(of: flag.key), "\(failureNote): '\(flag.key)' in major \(major)")
                let other = new.set.flags[index]
                for variant in flag.variants {
                    let there = other.variants.first { $0.name == variant.name }
                    let types = [variant.value, there?.value].map { $0.map(Self.type) }
                    try #require(
                        types[0] == types[1], "\(failureNote): '\(flag.key)' \(variant.name) in major \(major)")
                }
                if major == snapshot.head.version.major, let fault = other.fault,
                    purged.contains(where: { fault.message == "there is no flag \($0)" })
                {
                    continue
                }
                if flag.fault == nil {
                    try #require(
                        other.fault == nil, "\(failureNote): '\(flag.key)' in major \(major): \(other.fault!.message)")
                }
                for id in ["1", "21", "3"] {
                    let context = EvaluationContext(FlagObject([FlagObject.Member("targetingKey", .string(id))])!)
                    let had = old.set.evaluate(flag.key, for: context, now: 0)
                    let has = new.set.evaluate(flag.key, for: context, now: 0)
                    // A rule that names no variant of its own flag is its author's mistake in every major.
                    if had.error == nil, let error = has.error {
                        try #require(
                            error.code == "GENERAL", "\(failureNote): '\(flag.key)' in \(major): \(error.message)")
                    }
                }
            }
        }
    }

    private static func type(_ value: FlagValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
