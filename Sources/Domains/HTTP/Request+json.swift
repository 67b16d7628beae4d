public import AlmanacJSON

extension Request {
    /// The body as JSON; refused when it is none, or more than the limits allow.
    public func json(_ limits: JSONLimits) throws(Problem) -> JSONValue {
        try JSONValue(body: body.bytes(limit: limits.bytes), limits)
    }
}

extension JSONValue {
    /// Parses a body that has been read; refused when it is no JSON, or more than the limits allow.
    public init(body bytes: [UInt8], _ limits: JSONLimits) throws(Problem) {
        do {
            try self.init(parsing: bytes, limits: limits)
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
