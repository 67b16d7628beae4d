internal import AlmanacConfigDomain
internal import AlmanacFastCGI
internal import AlmanacFlagsDomain
internal import AlmanacHTTP
internal import AlmanacHooks
internal import AlmanacIdentity
internal import AlmanacMetrics
internal import AlmanacMigrations
internal import AlmanacNotesDomain
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacServing

Program.run("almanac-worker") {
    let settings = try ServerSettings(threads: 32, connections: 16)
    let actions = Family<Counter>(.notesActions)
    let signIns = SignInCounts()
    let queue = RequestQueue(settings)
    let keyWaits = WaitLimit(queue.maxKeyWaits)
    let observation = Observation(
        program: "almanac-worker", schema: Schema.required, version: AlmanacVersion.current,
        settings: settings, sources: [actions, signIns, queue])
    let server = try Server(settings) { environment, find in
        try WorkerEnvironment(
            environment, connections: settings.connections, actions: actions, signIns: signIns, keyWaits: keyWaits,
            find: find)
    }
    server.run { listener, registry in
        let routes =
            ConfigRoutes.all.map { $0.within { (environment: WorkerEnvironment) in environment.config } }
            + FlagsRoutes.all.map { $0.within { $0.flags } } + NotesRoutes.all.map { $0.within { $0.notes } }
            + IdentityRoutes.all.map { $0.within { $0.identity } } + HooksRoutes.all.map { $0.within { $0.hooks } }
        let gateway = Gateway(
            registry: registry, router: Router(routes), observation: observation, queue: queue,
            directory: Router(IdentityRoutes.directory.map { $0.within { $0.map(\.identity) } }), shape: OFREP.shaped,
            context: { $0 })
        gateway.serve(listener)
    }
}
