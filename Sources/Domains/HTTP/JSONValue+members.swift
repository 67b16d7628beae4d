public import AlmanacJSON

extension JSONValue {
    /// Returns the object, whose members must all be allowed; refuses any other value.
    public func members(_ allowed: [String]) throws(Problem) -> JSONObject {
        guard let object = objectValue else {
            throw Problem(.invalidValue, "expected an object with \(allowed.joined(separator: ", "))")
        }
        if let unknown = object.members.first(where: { !allowed.contains($0.name) }) {
            throw Problem(
                .invalidValue, "unknown member '\(unknown.name)'; expected \(allowed.joined(separator: ", "))")
        }
        return object
    }
}
