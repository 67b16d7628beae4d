import AlmanacConfig
import AlmanacNotes
import BackgroundTasks
import Foundation
import SwiftUI

struct NotesApp: App {
    let client = ConfigClient(preview: [:])

    var body: some Scene {
        WindowGroup { Text(client.string("app.title", default: "Notes")) }
            .backgroundTask(.appRefresh("com.example.notes.refresh")) { await refresh(client, store: nil) }
    }
}

func askForRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.notes.refresh")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
    try? BGTaskScheduler.shared.submit(request)
}

func refresh(_ client: ConfigClient, store: NotesStore?) async {
    askForRefresh()  // the next one
    async let config = try? client.fetchAndActivate()
    async let notes = try? store?.sync()
    _ = await (config, notes)
}
