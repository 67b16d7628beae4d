import Config
import Notes

// AlmanacNotes, AlmanacConfig and AlmanacSignIn have public types of these names.
typealias Note = Notes.Note
typealias Account = Notes.Account
typealias Settings = Config.Settings
