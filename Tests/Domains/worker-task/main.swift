import AlmanacConfigDomain
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacHooks
import AlmanacIdentity
import AlmanacPOSIX
import AlmanacPostgreSQL

// A program that does one task of a worker, in the only environment of an environments file, and then ends. Tests kill
// it on the way:
//
//     almanac-worker-task FILE deliver
//     almanac-worker-task FILE apply-due
//     almanac-worker-task FILE request METHOD PATH BODY AUTHORIZATION [IF-MATCH]
//
// After a request it prints the status of the answer.

let arguments = Array(CommandLine.arguments.dropFirst())
let settings = try EnvironmentsFile.load(arguments[0], for: .worker)[0]
let pool = Pool(settings.database, size: 1)

switch arguments[1] {
case "deliver":
    let deliverer = Deliverer(settings, pool: pool)
    while try deliverer.step() {}
default:
    let service = try ConfigService(
        settings: settings, pool: pool, notifier: Notifier(settings.database, threadName: "notify"))
    guard arguments[1] == "request" else {
        try service.applyDueProposals()
        Process.end(status: 0)
    }
    let tokens = TokenStore(environment: settings.name.text, pool: pool)
    try tokens.refresh()
    let context = ConfigContext(service: service, authenticator: Authenticator(settings, tokens: tokens) { _ in }) {
        _ in nil
    }
    let body = Array(arguments[4].utf8)
    let fields = zip(["Authorization", "If-Match"], arguments[5...]).map { (name: $0, value: $1) }
    let request = Request(
        method: arguments[2], target: try Target("/\(settings.name)\(arguments[3])"), headers: Headers(fields),
        id: "task", body: Body(length: body.count) { Array(body.prefix($0)) })
    do {
        let (route, captures) = try Router(ConfigRoutes.all).route(request)
        try Process.output("\(route.answer(request, captures, context).status)\n")
    } catch let refusal as any ProblemRepresentable {
        try Process.output("\(refusal.problem.response(requestID: "task").status)\n")
    }
}

// A return would free what the thread of the notifier may still use.
Process.end(status: 0)
