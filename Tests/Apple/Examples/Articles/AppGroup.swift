import AlmanacConfig
import AlmanacNotes
import AlmanacSignIn
import Foundation
import WidgetKit

enum Group {
    static let options = SignInOptions(issuer: "https://login.example.com", clientID: "notes-app")

    static func open(
        _ environment: URL, _ account: UserAccount
    ) throws -> (ConfigClient, SettingsStore, SignInSession, NotesStore)? {
        guard
            let folder = FileManager.default.containerURL(
                forSecurityApplicationGroupIdentifier: "group.com.example.notes")
        else { return nil }

        var config = ConfigOptions(environment: environment)
        config.cache = folder.appending(path: "config.cache")
        let client = ConfigClient(config)

        let settings = try SettingsStore {
            UserDefaultSetting("list.sorting", default: "time", suite: "group.com.example.notes")
        }

        let group = KeychainTokenStorage.AppGroup(accessGroup: "ABCDE12345.com.example.notes", folder: folder)
        let session = SignInSession(
            options, storage: KeychainTokenStorage(service: "com.example.notes", group: group))

        let store = try NotesStore(
            file: folder.appending(path: "notes.db"), environment: environment, account: account, tokens: session)
        return (client, settings, session, store)
    }

    static func reloading(_ store: NotesStore) -> Task<Void, Never> {
        Task {
            for await update in store.updates where !update.notes.isEmpty { WidgetCenter.shared.reloadAllTimelines() }
        }
    }
}
