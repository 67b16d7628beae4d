public import AlmanacJSON

extension JSONValue {
    /// An object with some of the given members and no others; refused when it is none.
    public func members(_ allowed: [String]) throws(Problem) -> JSONObject {
        guard let object = objectValue else {
            throw Problem(.invalidValue, "expected an object with \(allowed.joined(separator: ", "))")
        }
        if let unknown = object.members.first(where: { !allowed.contains($0.name) }) {
            throw Problem(
                .invalidValue, "'\(unknown.name)' is not known here; expected \(allowed.joined(separator: ", "))")
        }
        return object
    }
}
