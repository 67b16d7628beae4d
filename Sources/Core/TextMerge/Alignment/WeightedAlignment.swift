/// The alignment of two short sequences of tokens that keeps the greatest total weight.
///
/// Words weigh more than punctuation, punctuation more than spaces, and tokens that occur once on both sides more than
/// repeated ones. Each change costs weight, so a space or a comma between two rewritten words is not kept alone: it
/// would split one change into two. Osamu Gotoh, "An improved algorithm for matching biological sequences" (Journal of
/// Molecular Biology 162, 1982), with insertions and deletions in one state.
struct WeightedAlignment {
    private let old: ArraySlice<Int32>
    private let new: ArraySlice<Int32>
    /// The weight of each old token, if it is matched.
    private let weights: [Int32]

    private static let changeCost: Int32 = 4
    /// The bits of a choice at a place: the next step after a match and inside a change.
    private static let opens: UInt8 = 1
    private static let matches: UInt8 = 2
    private static let deletes: UInt8 = 4

    /// - Parameter occurrences: Zeros for all numbers of tokens; reset to zeros afterwards.
    init(_ box: Hunk, of tokens: Tokens, _ bytes: Span<UInt8>, _ occurrences: inout [(old: Int32, new: Int32)]) {
        old = tokens.old[box.old]
        new = tokens.new[box.new]
        // A token that occurs once on both sides weighs more.
        for number in old { occurrences[Int(number)].old += 1 }
        for number in new where number >= 0 { occurrences[Int(number)].new += 1 }
        weights = box.old.map { index in
            let range = Int(tokens.oldStarts[index])..<Int(tokens.oldStarts[index + 1])
            let times = occurrences[Int(tokens.old[index])]
            return WeightedAlignment.weight(
                of: bytes.kind(at: range.lowerBound), isLineFeed: bytes[range.lowerBound] == 0x0A,
                length: range.count, isUnique: times == (1, 1))
        }
        for number in old { occurrences[Int(number)] = (0, 0) }
        for number in new where number >= 0 { occurrences[Int(number)] = (0, 0) }
    }

    private static func weight(of kind: CharacterKind, isLineFeed: Bool, length: Int, isUnique: Bool) -> Int32 {
        switch kind {
        case .word: isUnique ? Int32(5 + min(length, 10)) : Int32(3 + min(length, 10) / 3)
        case .unit: isUnique ? 6 : 3
        case .border: 2
        case .space: isLineFeed ? 3 : 1
        }
    }

    /// Returns the matches, as indices of the sequences that the box was cut from.
    func solve() -> [Match] {
        let width = new.count + 1
        let (firstOld, firstNew) = (old.startIndex, new.startIndex)
        var choices = [UInt8](repeating: 0, count: (old.count + 1) * width)
        // The greatest remaining weight, after a match and inside a change, for the row below and for this row.
        var matchedBelow = [Int32](repeating: 0, count: width)
        var changedBelow = [Int32](repeating: 0, count: width)
        var matched = matchedBelow
        var changed = changedBelow
        for row in stride(from: old.count, through: 0, by: -1) {
            for column in stride(from: new.count, through: 0, by: -1) {
                if row == old.count && column == new.count {
                    matched[column] = 0
                    changed[column] = 0
                    continue
                }
                var choice: UInt8 = 0
                var best = Int32.min
                if column < new.count { best = changed[column + 1] }
                if row < old.count, changedBelow[column] >= best {
                    best = changedBelow[column]
                    choice = WeightedAlignment.deletes
                }
                var asMatch = Int32.min
                if row < old.count, column < new.count, old[firstOld + row] == new[firstNew + column] {
                    asMatch = matchedBelow[column + 1] + weights[row]
                    if asMatch >= best {
                        best = asMatch
                        choice = WeightedAlignment.matches
                    }
                }
                changed[column] = best
                let opened = best - WeightedAlignment.changeCost
                if asMatch >= opened {
                    matched[column] = asMatch
                } else {
                    matched[column] = opened
                    choice |= WeightedAlignment.opens
                }
                choices[row * width + column] = choice
            }
            swap(&matched, &matchedBelow)
            swap(&changed, &changedBelow)
        }
        return path(through: choices, width)
    }

    private func path(through choices: [UInt8], _ width: Int) -> [Match] {
        var found: [Match] = []
        var (row, column) = (0, 0)
        var isInChange = false
        while row < old.count || column < new.count {
            let choice = choices[row * width + column]
            if isInChange ? choice & WeightedAlignment.matches != 0 : choice & WeightedAlignment.opens == 0 {
                found.join(Match(old: old.startIndex + row, new: new.startIndex + column, length: 1))
                row += 1
                column += 1
                isInChange = false
                continue
            }
            isInChange = true
            if choice & WeightedAlignment.deletes != 0 { row += 1 } else { column += 1 }
        }
        return found
    }
}
