import AlmanacJSON
import AlmanacTestSupport

extension JSONValue {
    init(json text: String) throws { self = try JSONValue(parsing: Array(text.utf8)) }

    /// Returns a random document in which a few names recur.
    static func random(depth: Int, nulls: Bool, _ random: inout Randomness) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 10), using: &random) {
        case 0: return nulls ? .null : true
        case 1: return .boolean(.random(using: &random))
        case 2: return .number(JSONNumber(Int.random(in: 0...2, using: &random)))
        case 3, 4: return .string(["", "a", "é", "e\u{301}"].randomElement(using: &random)!)
        case 5:
            let count = Int.random(in: 0...3, using: &random)
            return .array((0..<count).map { _ in .random(depth: depth - 1, nulls: true, &random) })
        default: return .randomObject(depth: depth, nulls: nulls, &random)
        }
    }

    static func randomObject(depth: Int, nulls: Bool, _ random: inout Randomness) -> JSONValue {
        let names = ["a", "b", "c", "d", "é", "e\u{301}", ""].shuffled(using: &random)
        return .object(
            JSONObject(
                names.prefix(Int.random(in: 0...5, using: &random)).map {
                    (name: $0, value: .random(depth: depth - 1, nulls: nulls, &random))
                }))
    }
}
