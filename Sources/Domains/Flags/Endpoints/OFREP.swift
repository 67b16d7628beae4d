public import AlmanacHTTP
internal import AlmanacJSON

/// The paths of OFREP, the OpenFeature Remote Evaluation Protocol 0.3, and how errors are told there.
public enum OFREP {
    /// A problem as clients of OFREP read it, where it is answered at one of their paths. It stays a problem document
    /// otherwise (RFC 9457), but is called plain JSON, which is all that some of them take.
    public static func shaped(_ problem: Problem, at path: [String]) -> Problem {
        guard let rest = rest(of: path) else { return problem }
        var members: [(name: String, value: String)] = []
        if rest.count >= 3, rest.starts(with: ["evaluate", "flags"]), !rest[rest.startIndex + 2].isEmpty {
            members.append(("key", rest[rest.startIndex + 2]))
        }
        members += [("errorCode", problem.kind.errorCode), ("errorDetails", problem.detail)]
        return problem.adding(members.map { ($0.name, .string($0.value)) }, contentType: "application/json")
    }

    /// What follows `ofrep/v1`, which stands behind an environment or, where none is known, first.
    private static func rest(of path: [String]) -> ArraySlice<String>? {
        for start in 0...1 where path.dropFirst(start).starts(with: ["ofrep", "v1"]) {
            return path.dropFirst(start + 2)
        }
        return nil
    }
}

extension ProblemKind {
    /// What OpenFeature calls it.
    fileprivate var errorCode: String {
        switch self {
        case .flagNotFound: "FLAG_NOT_FOUND"
        case .invalidJSON, .flagBroken: "PARSE_ERROR"
        case .invalidContext: "INVALID_CONTEXT"
        default: "GENERAL"
        }
    }
}
