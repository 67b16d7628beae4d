internal import AlmanacEnvironments
public import AlmanacMetrics

extension ConfigService: MetricSource {
    public func write(to exposition: inout Exposition) {
        let environment = [settings.name.text]
        let state = state
        exposition.add(.configRevision, environment, Double(state.revision))
        exposition.add(.configAge, environment, Double(store.age) / 1e9)
        exposition.add(.historyReplacements, environment, Double(store.replacementCount))
        exposition.add(.configStale, environment, state.isStale ? 1 : 0)
    }
}
