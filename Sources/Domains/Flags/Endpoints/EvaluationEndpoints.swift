internal import AlmanacHTTP

/// The calls of OFREP, the OpenFeature Remote Evaluation Protocol.
enum EvaluationEndpoints {
    /// `POST /{environment}/ofrep/v1/evaluate/flags/{key}`: what one flag is for somebody.
    static func one(_: Request, _ captures: Captures, _: FlagsContext) throws -> Response {
        throw Problem(.notFound, "there is no flag '\(captures["key"])'")
    }
}
