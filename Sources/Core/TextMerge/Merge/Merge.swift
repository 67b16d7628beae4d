/// What two people made of one text, put together, with the way there from either side.
public struct Merge: Sendable {
    /// The text with both sides' changes.
    public let text: String

    /// What theirs is missing: applied to their text it gives ``text``.
    public let fromTheirs: Delta

    /// What mine is missing: applied to my text it gives ``text``. It also says where a caret in my text goes; see
    /// ``Delta/map(position:affinity:)``.
    public let fromMine: Delta
}

/// Puts together two texts that were both made from a third, so that nothing that either side wrote is lost.
///
/// ```swift
/// let merged = merge(
///     base: "milk\nbread",
///     theirs: "milk\nbread\neggs",
///     mine: "oat milk\nbread")
/// merged.text  // "oat milk\nbread\neggs"
/// ```
///
/// The differences of either side to the base are found (see ``diff(from:to:)``), and the base is walked once, unit by
/// unit: at each offset stands what they inserted, then what I inserted, or that once if it is the same; then the unit
/// of the base, unless either side deleted it. Text that replaces other text is inserted where the replaced text
/// began. Therefore
///
/// - nothing inserted is dropped, not even inside text that the other side deleted;
/// - nothing is doubled that both sides inserted alike at the same place;
/// - every deletion by either side takes place;
/// - what neither side touched stays as it is;
/// - a side without changes gives the other side's text, and equal sides give that text.
///
/// There are no conflicts and nothing is guessed: the same three texts give the same result on every machine, and
/// with the sides exchanged only the order of insertions at the same place differs. What it cannot know is meaning:
/// two rewritings of one sentence are both kept, one woven into the other.
///
/// This is the three-way merge that diff3 does with lines (Sanjeev Khanna, Keshav Kunal, Benjamin C. Pierce, "A Formal
/// Investigation of Diff3", 2007), done with characters, and with both sides kept where diff3 reports a conflict.
public func merge(base: String, theirs: String, mine: String) -> Merge {
    let (base, theirs, mine) = (Text(base), Text(theirs), Text(mine))
    var theirDiffer = Differ(base, theirs)
    var myDiffer = Differ(base, mine)
    let walk = MergeWalk(base, MergeSide(theirDiffer.hunks(), of: theirs), MergeSide(myDiffer.hunks(), of: mine))
    return walk.merged()
}
