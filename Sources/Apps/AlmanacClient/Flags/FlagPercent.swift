internal import AlmanacJSON

/// A share of all callers, in steps of a thousandth of a percent.
public struct FlagPercent: Sendable, Equatable {
    let thousandths: Int

    /// What all callers together are.
    static let whole = 100_000

    init(thousandths: Int) {
        self.thousandths = thousandths
    }

    /// A percentage as a person writes it, such as `20`, `0.5` or `12.125%`; nil for anything else.
    public init?(written text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,3}))?%?/), let percent = Int(match.1),
            let fraction = Int(((match.2 ?? "") + "000").prefix(3)),
            percent * 1000 + fraction <= Self.whole
        else { return nil }
        thousandths = percent * 1000 + fraction
    }

    /// The rest of all callers.
    var rest: FlagPercent { FlagPercent(thousandths: Self.whole - thousandths) }

    /// As a number of JSON, without zeros at its end.
    var json: JSONValue {
        if thousandths.isMultiple(of: 1000) { return .number(JSONNumber(thousandths / 1000)) }
        // Safe to read: digits with a point in between.
        return (try? JSONValue(parsing: Array(description.utf8))) ?? .null
    }
}

extension FlagPercent: CustomStringConvertible {
    public var description: String {
        let (percent, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard fraction > 0 else { return String(percent) }
        let digits = String(1000 + fraction).dropFirst()
        return "\(percent).\(String(digits.reversed().drop { $0 == "0" }.reversed()))"
    }
}
