import AlmanacTargeting
import Foundation

/// Reads the lines of a file in the folder of these tests.
func lines(of name: String, path: String = #filePath) throws -> [String] {
    let folder = URL(filePath: path).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
}

/// Returns a set of one flag, `flag`, with the variants `on` and `off` and the default `off`.
func flagSet(_ targeting: String, fractional: FractionalVersion = .version3, evaluators: String = "{}") throws
    -> FlagSet
{
    let text = """
        {"flags":{"flag":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
        "targeting":\(targeting)}},"$evaluators":\(evaluators)}
        """
    return try FlagSet(try FlagValue(json: text), fractional: fractional)
}

extension FlagSet {
    /// Evaluates a flag. Returns its variant or error code, and the reason.
    func answer(_ context: String, key: String = "flag", now: Int64 = 0) throws -> String {
        let evaluation = evaluate(key, for: try EvaluationContext(json: Array(context.utf8)), now: now)
        return (evaluation.variant?.name ?? evaluation.error?.code ?? "none") + " " + evaluation.reason.name
    }
}
