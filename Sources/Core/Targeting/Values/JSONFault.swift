/// Why bytes are no JSON that this library takes.
public struct JSONFault: Error, Sendable {
    /// What is wrong.
    public enum Problem: Sendable {
        /// More bytes than are taken.
        case tooLong
        /// Arrays and objects inside each other, more than are taken.
        case tooDeep
        /// Something that isn't JSON, or more after its end.
        case unexpected
        /// Not UTF-8, or half of a surrogate pair.
        case badText
        /// A number beyond a double.
        case numberTooLarge
        /// An object with two members of one name.
        case duplicateName
        /// JSON, but not an object, where only one makes sense.
        case notAnObject
    }

    /// What was seen.
    public let problem: Problem
    /// The byte at which it was seen.
    public let offset: Int

    /// What is wrong, for people.
    public var message: String {
        let words =
            switch problem {
            case .tooLong: "more bytes than are taken"
            case .tooDeep: "arrays and objects nested too deep"
            case .unexpected: "no JSON"
            case .badText: "text that is not valid UTF-8, or half a surrogate pair"
            case .numberTooLarge: "a number beyond a double"
            case .duplicateName: "an object with two members of one name"
            case .notAnObject: "no JSON object"
            }
        return words + " at byte " + offset.description
    }
}
