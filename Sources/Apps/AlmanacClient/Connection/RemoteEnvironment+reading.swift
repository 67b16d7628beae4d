internal import AlmanacHTTPSClient
internal import AlmanacJSON

extension RemoteEnvironment {
    /// The parameters of a query that are given.
    func pairs(_ pairs: (String, String?)...) -> [(String, String)] {
        pairs.compactMap { pair in pair.1.map { (pair.0, $0) } }
    }

    func object(_ answer: WebAnswer) throws(CallFailure) -> JSONObject {
        guard let object = try document(answer).objectValue else { throw Self.unexpected }
        return object
    }

    func list(_ answer: WebAnswer) throws(CallFailure) -> [JSONObject] {
        guard let objects = try document(answer).arrayValue?.map(\.objectValue), !objects.contains(nil) else {
            throw Self.unexpected
        }
        return objects.compactMap(\.self)
    }

    private func document(_ answer: WebAnswer) throws(CallFailure) -> JSONValue {
        var limits = JSONLimits()
        limits.bytes = 256 << 20
        limits.depth = 600
        do { return try JSONValue(parsing: answer.body, limits: limits) } catch { throw Self.unexpected }
    }

    static let unexpected = CallFailure(.refused, "the answer is not Almanac's: is the URL right?")
}
