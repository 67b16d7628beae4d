internal import AlmanacEnvironments
public import AlmanacMetrics
internal import Synchronization

extension ConfigService: MetricSource {
    public func write(to exposition: inout Exposition) {
        let environment = [settings.name.text]
        let state = state
        exposition.add(.configRevision, environment, Double(state.revision))
        exposition.add(.configAge, environment, Double(store.age) / 1e9)
        exposition.add(.historyReplacements, environment, Double(store.replacementCount))
        exposition.add(.configStale, environment, state.isStale ? 1 : 0)
        exposition.add(.releasesUnreviewed, environment, Double(unreviewedReleases.load(ordering: .relaxed)))
    }
}
