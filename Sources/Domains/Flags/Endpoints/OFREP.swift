public import AlmanacHTTP
internal import AlmanacJSON

/// The paths and the error format of OFREP, the OpenFeature Remote Evaluation Protocol 0.3.
public enum OFREP {
    /// Returns a problem in the format of OFREP if the path is one of OFREP's. The document still follows RFC 9457, but
    /// has the media type of plain JSON, which is the only type that some clients accept.
    public static func shaped(_ problem: Problem, at path: [String]) -> Problem {
        guard let segments = pathAfterEnvironment(of: path) else { return problem }
        var members: [(name: String, value: String)] = []
        if segments.count >= 3, segments.starts(with: ["evaluate", "flags"]), !segments[segments.startIndex + 2].isEmpty
        {
            members.append(("key", segments[segments.startIndex + 2]))
        }
        members += [("errorCode", problem.kind.errorCode), ("errorDetails", problem.detail)]
        return problem.adding(members.map { ($0.name, .string($0.value)) }, contentType: "application/json")
    }

    /// Returns the segments after `ofrep/v1`, which may come first or after an environment.
    private static func pathAfterEnvironment(of path: [String]) -> ArraySlice<String>? {
        for start in 0...1 where path.dropFirst(start).starts(with: ["ofrep", "v1"]) {
            return path.dropFirst(start + 2)
        }
        return nil
    }
}

extension ProblemKind {
    /// The error code of OpenFeature.
    fileprivate var errorCode: String {
        switch self {
        case .flagNotFound: "FLAG_NOT_FOUND"
        case .invalidJSON, .flagBroken: "PARSE_ERROR"
        case .invalidContext: "INVALID_CONTEXT"
        default: "GENERAL"
        }
    }
}
