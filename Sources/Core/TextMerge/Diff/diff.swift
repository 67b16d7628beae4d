/// The delta that makes one text out of another.
///
/// Exact and deterministic: applied to `old` it gives `new` to the last byte, and the same texts give the same delta on
/// every machine, because the work is bounded in steps and not in time. It is a shortest one for texts that are small
/// or differ little; for large texts that share little it may delete and insert more than it has to.
///
/// ```swift
/// diff(from: "The cat sat.", to: "The cow sat.").elements  // [5, -2, "ow", 5]
/// ```
///
/// Sources: Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), for the search; Neil Fraser,
/// "Diff Strategies" (2006), for comparing lines first and for the lossless clean-up of boundaries.
public func diff(from old: String, to new: String) -> Delta {
    var differ = Differ(from: old, to: new)
    return differ.delta()
}
