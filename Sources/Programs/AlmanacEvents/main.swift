internal import AlmanacEventsDomain
internal import AlmanacFastCGI
internal import AlmanacHTTP
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacServing

Program.run("almanac-events") {
    // Every stream is an open file.
    Process.raiseFileLimit()
    let settings = try ServerSettings(threads: 8, connections: 4)
    let queue = RequestQueue(settings)
    let (keyWaits, sessionWaits) = (WaitLimit(queue.maxKeyWaits), WaitLimit(queue.maxSessionWaits))
    let observation = Observation(
        program: "almanac-events", schema: Schema.required, version: AlmanacVersion.current,
        settings: settings, sources: [queue])
    let server = try Server(settings) { environment, _ in
        try EventsEnvironment(
            environment, connections: settings.connections, keyWaits: keyWaits, sessionWaits: sessionWaits)
    }
    server.run { listener, registry in
        let gateway = Gateway(
            registry: registry, router: Router(EventsRoutes.all), observation: observation, queue: queue
        ) {
            (environment: EventsEnvironment) in environment.context
        }
        gateway.serve(listener)
    }
}
