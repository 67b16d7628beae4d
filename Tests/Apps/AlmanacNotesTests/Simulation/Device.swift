import AlmanacNotes
import Foundation

/// A simulated device with the real library. Tests may kill and restart it at any moment.
final class Device {
    let name: String
    private let network: FaultyNetwork
    /// The connection of the current process. A killed process's connection is closed.
    private var connection: ProcessConnection
    private(set) var store: NotesStore
    private let folder: Folder
    private let user: SimulatedUser
    private var restartCount = 0
    /// The syncs in progress.
    private var syncs: [Task<Void, Never>] = []

    init(_ name: String, _ folder: Folder, _ network: FaultyNetwork, _ user: SimulatedUser) throws {
        self.name = name
        self.folder = folder
        self.network = network
        self.user = user
        connection = ProcessConnection(network)
        store = try folder.open("\(name)-0.db", user.server(behind: connection))
    }

    func beginSync() {
        let store = store
        syncs.append(Task { _ = try? await store.sync() })
    }

    /// Waits for the syncs, delivers delayed requests, and stops the network's faults.
    func settle() async throws {
        for sync in syncs { await sync.value }
        syncs = []
        try await network.deliverDelayedRequests()
        network.stopFaults()
    }

    func deliverDelayedRequests() async throws { try await network.deliverDelayedRequests() }

    /// Restarts the process. Requests of the killed process are still delivered, but their responses are lost.
    func crash() async throws {
        let (old, new) = (folder.path("\(name)-\(restartCount).db"), folder.path("\(name)-\(restartCount + 1).db"))
        connection.cut()
        try await store.copyFiles(from: old, to: new)
        restartCount += 1
        connection = ProcessConnection(network)
        store = try folder.open("\(name)-\(restartCount).db", user.server(behind: connection))
    }
}
