internal import AlmanacJSON

/// A share of all callers, in thousandths of a percent.
public struct FlagPercent: Sendable, Equatable {
    let thousandths: Int

    /// The share of all callers.
    static let whole = 100_000

    init(thousandths: Int) { self.thousandths = thousandths }

    /// Parses a percentage such as `20`, `0.5` or `12.125%`. Returns nil for another text.
    public init?(written text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,3}))?%?/), let percent = Int(match.1),
            let fraction = Int(((match.2 ?? "") + "000").prefix(3)), percent * 1000 + fraction <= Self.whole
        else { return nil }
        thousandths = percent * 1000 + fraction
    }

    /// The complement, up to 100 percent.
    var rest: FlagPercent { FlagPercent(thousandths: Self.whole - thousandths) }

    /// The JSON number, without trailing zeros.
    var json: JSONValue {
        if thousandths.isMultiple(of: 1000) { return .number(JSONNumber(thousandths / 1000)) }
        // The description is a valid JSON number, so parsing succeeds.
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
