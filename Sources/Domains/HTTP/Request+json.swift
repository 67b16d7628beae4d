public import AlmanacJSON

extension Request {
    /// The body as JSON; refused when it is none, or more than the limits allow.
    public func json(_ limits: JSONLimits) throws(Problem) -> JSONValue {
        let bytes = try body.bytes(limit: limits.bytes)
        do {
            return try JSONValue(parsing: bytes, limits: limits)
        } catch {
            let kind: ProblemKind =
                switch error {
                case .tooLarge: .bodyTooLarge
                case .tooDeep: .limitExceeded
                case .nulCharacter, .loneSurrogate, .numberOutOfRange: .invalidValue
                default: .invalidJSON
                }
            throw Problem(kind, "\(error)")
        }
    }
}
