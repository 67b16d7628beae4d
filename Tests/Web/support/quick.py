"""The tests of Tests/Web/run --quick, which together open every screen of both applications."""

QUICK = {
    "the page of the API's host": [
        "APIPageTests.test_page_is_accessible_and_within_its_policy",
    ],
    "the console from the printed link to entries, a forecast, a release, a promotion and its undoing": [
        "FirstRunTests.test_from_the_printed_link_to_a_release_undone",
    ],
    "every screen of the console, and how much it weighs": [
        "BudgetTests.test_console_is_small",
        "ForEveryoneTests.test_journey_by_the_keyboard_alone",
        "ForEveryoneTests.test_right_to_left_texts_keep_their_direction",
    ],
    "the console's sign-in, by token, by link and at a provider, and its German": [
        "FrameTests.test_pasted_token_signs_in",
        "FrameTests.test_wrong_tokens_are_explained",
        "FrameTests.test_german",
        "PeopleTests.test_own_passkeys",
        "SignInTests.test_operator_signs_in_at_the_provider",
        "SessionTests.test_session_revoked_in_the_middle_of_an_edit",
        "HostileSessionTests.test_nobody_gets_in",
    ],
    "entries: all kinds of values, and somebody else who edits them": [
        "ValueTests.test_numbers_keep_their_digits",
        "ValueTests.test_draft_survives_a_reload",
        "TwoPeopleTests.test_draft_goes_on_when_another_saves_other_keys",
        "HostileTextTests.test_markup_in_the_address_is_inert",
    ],
    "flags: the form, its forecast, the trial and the switch": [
        "FlagTests.test_who_would_move_is_said_before_it_is_saved",
        "FlagTests.test_who_gets_what_and_why",
        "FlagTests.test_kill_switch_is_one_press",
    ],
    "releases: import, and a major version that is retired": [
        "ReleaseTests.test_import_is_released",
        "ReleaseTests.test_major_is_retired",
    ],
    "the frame of the notes: sign-in, choice of environments, settings, the keys, what is saved where": [
        "NotesFrameTests.test_access_token_signs_in",
        "NotesFrameTests.test_choice_of_environments",
        "NotesFrameTests.test_refused_changes_are_listed",
        "NotesFrameTests.test_settings",
        "NotesFrameTests.test_help_lists_keys",
        "NotesAccountsTests.test_session_ends_in_the_middle",
        "NotesAccountsTests.test_sign_out_removes_notes_and_names_what_is_lost",
    ],
    "lists of notes: all, found, with a tag, in the trash": [
        "NotesListTests.test_search",
        "NotesListTests.test_keyboard_alone",
        "NotesListTests.test_tags",
        "NotesListTests.test_trash",
        "NotesRowsTests.test_first_rows",
    ],
    "a note: its editor, preview, menu and history": [
        "NotesOpenTests.test_checklists",
        "NotesOpenTests.test_menu",
        "NotesEditorTests.test_what_is_typed_is_kept",
        "NotesEditorTests.test_two_tabs_write_one_note",
        "NotesHistoryTests.test_versions_and_what_each_changed",
    ],
    "notes that are moved in and out": [
        "NotesMoveTests.test_says_what_is_left_out",
    ],
    "notes without a network, with a new version, without room, and of several devices": [
        "OfflineTests.test_starts_offline",
        "UpdateTests.test_new_version_waits",
        "NotesStorageTests.test_text_without_room",
        "TabsTests.test_closed_leader",
        "NotesSyncTests.test_devices_agree",
    ],
}
