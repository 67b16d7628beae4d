"""Tests of a client that openapi-python-client generated, against a running instance."""

import ssl
import unittest
import uuid

from almanac_client import AuthenticatedClient, Client
from almanac_client.api.flags import evaluate_flag, evaluate_flags, list_flags
from almanac_client.api.history import get_entry_history, list_releases
from almanac_client.api.notes import (
    delete_note,
    get_note,
    get_note_history,
    get_notes,
    patch_note,
    perform_actions,
    put_note,
)
from almanac_client.api.reading import get_config, get_config_object, get_entry, get_flags
from almanac_client.api.writing import create_entry, delete_entry, patch_config, put_entry, put_flags
from almanac_client.models import (
    Action,
    ActionName,
    ActionStatus,
    ConfigPatch,
    EntryContent,
    EntryKind,
    Evaluation,
    EvaluationContext,
    FlagSet,
    FlagSetFlags,
    GetConfigForm,
    GetNotesForm,
    NewEntry,
    NoteContent,
    NotePatch,
    Problem,
    TagChange,
)
from almanac_client.types import UNSET

ENVIRONMENT = "development"
FLAG = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}


class GeneratedClientTests(unittest.TestCase):
    # The instance, set by main.py.
    instance = None

    def setUp(self):
        self.instance.begin(ENVIRONMENT, {})
        self.operator = self.client(self.instance.token(ENVIRONMENT))
        self.visitor = self.client()

    def client(self, token=None):
        """Returns a generated client, with a token or anonymous."""
        options = {"base_url": self.instance.url,
                   "verify_ssl": ssl.create_default_context(cafile=f"{self.instance.home}/tls/ca.pem"),
                   "httpx_args": {"trust_env": False}}
        return AuthenticatedClient(token=token, **options) if token else Client(**options)

    def user(self):
        """Returns a client of a new user without notes."""
        return self.client(self.instance.almanac("token", "user", ENVIRONMENT, "--sub", f"u-{uuid.uuid4()}").strip())

    def assert_problem(self, answer, kind):
        self.assertIsInstance(answer, Problem)
        self.assertEqual(answer.type_, f"urn:almanac:problem:{kind}")

    def test_config_is_written_and_read(self):
        """values of every type are created, replaced, read and removed"""
        values = {"text": "#FFB6C1", "number": 7, "truth": True, "list": [1, "two"], "object": {"dark": True}}
        for key, value in values.items():
            made = create_entry.sync(ENVIRONMENT, client=self.operator, body=NewEntry(key=key, value=value))
            self.assertEqual([(entry.key, entry.value) for entry in made.entries], [(key, value)])
        read = get_config.sync(ENVIRONMENT, client=self.visitor)
        self.assertEqual({entry.key: entry.value for entry in read}, values)
        objects = get_config_object.sync(ENVIRONMENT, client=self.visitor)
        self.assertEqual(objects.to_dict(), values)
        replaced = put_entry.sync(
            ENVIRONMENT, "text", client=self.operator, body=EntryContent(value="dark", description="The theme"))
        entry = get_entry.sync(ENVIRONMENT, "text", client=self.visitor)
        self.assertEqual((entry.value, entry.description, entry.revision), ("dark", "The theme", replaced.revision))

    def test_delta_has_tombstones(self):
        """a delta has changed entries and tombstones, and the short form has types and sizes"""
        self.instance.release(ENVIRONMENT, {"gone": 1, "kept": 2})
        before = get_config.sync_detailed(ENVIRONMENT, client=self.visitor).headers["Almanac-Cursor"]
        patch_config.sync(ENVIRONMENT, client=self.operator, body=ConfigPatch.from_dict({"gone": None, "kept": 3}))
        delta = get_config.sync(ENVIRONMENT, client=self.visitor, since=before)
        self.assertEqual([(item.key, item.deleted, item.value) for item in delta],
                         [("gone", True, UNSET), ("kept", UNSET, 3)])
        summary, = get_config.sync(ENVIRONMENT, client=self.visitor, form=GetConfigForm.SUMMARY)
        self.assertEqual((summary.key, summary.type_.value, summary.bytes_), ("kept", "number", 1))

    def test_forecast_and_history(self):
        """a dry run returns a forecast, and histories show what was written and removed"""
        self.instance.release(ENVIRONMENT, {"greeting": "Hi"})
        forecast = patch_config.sync(
            ENVIRONMENT, client=self.operator, body=ConfigPatch.from_dict({"greeting": 7}), dry_run=True)
        self.assertEqual((forecast.bump.value, forecast.entries), ("major", UNSET))
        self.assertEqual([change.reason.value for change in forecast.changes], ["retyped"])
        deleted = delete_entry.sync(ENVIRONMENT, "greeting", client=self.operator)
        self.assertEqual([entry.deleted for entry in deleted.entries], [True])
        history = get_entry_history.sync(ENVIRONMENT, "greeting", client=self.operator)
        self.assertEqual([(item.deleted, item.value) for item in history[:2]], [(True, UNSET), (UNSET, "Hi")])
        release, = list_releases.sync(ENVIRONMENT, client=self.operator, limit=1)
        self.assertEqual((release.revision, release.keys), (deleted.revision, ["greeting"]))

    def test_flags_are_written_and_evaluated(self):
        """flags are written and read as a set, listed, and evaluated one by one and together"""
        flags = FlagSet(flags=FlagSetFlags.from_dict({"new-ui": FLAG}))
        put_flags.sync(ENVIRONMENT, client=self.operator, body=flags)
        stored = get_flags.sync(ENVIRONMENT, client=self.operator).flags["new-ui"]
        self.assertEqual(stored["variants"], FLAG["variants"])
        flag, = list_flags.sync(ENVIRONMENT, client=self.operator).flags
        self.assertEqual((flag.key, flag.type_, flag.fault), ("new-ui", "boolean", None))
        body = Evaluation(context=EvaluationContext.from_dict({"targetingKey": "u1"}))
        one = evaluate_flag.sync(ENVIRONMENT, "new-ui", client=self.operator, body=body)
        self.assertEqual((one.value, one.variant, one.reason.value), (True, "on", "STATIC"))
        bulk, = evaluate_flags.sync(ENVIRONMENT, client=self.operator, body=body).flags
        self.assertEqual((bulk.key, bulk.value, bulk.error_code), ("new-ui", True, UNSET))

    def test_flag_is_an_entry_with_a_kind(self):
        """a flag is written and read as an entry"""
        put_entry.sync(ENVIRONMENT, "new-ui", client=self.operator, body=EntryContent(value=FLAG, kind=EntryKind.FLAG))
        self.assertEqual(get_entry.sync(ENVIRONMENT, "new-ui", client=self.operator).kind, EntryKind.FLAG)

    def test_actions_of_every_kind(self):
        """actions of every kind are applied in their order"""
        user = self.user()
        actions = [
            Action(ActionName.CREATENOTE, "n1", action_id="a1", title="Groceries", body="milk", tags=["shopping"]),
            Action(ActionName.CREATENOTE, "n2", action_id="a2", after="n1"),
            Action(ActionName.UPDATENOTE, "n1", action_id="a3", base=1, body=[4, "\nbread"],
                   tags={"add": ["to do"]}, pinned=True),
            Action(ActionName.UPDATENOTE, "n1", action_id="a4", base=3, body="=10\t+%0Aeggs"),
            Action(ActionName.UPDATENOTE, "n1", action_id="a5", title=[[0, "Groceries"], [1, "!"]]),
            Action(ActionName.MOVENOTE, "n2", action_id="a6", after=None),
            Action(ActionName.DELETENOTE, "n1", action_id="a7", base=5),
            Action(ActionName.RESTORENOTE, "n1", action_id="a8"),
            Action(ActionName.PURGENOTE, "n2", action_id="a9"),
        ]
        answer = perform_actions.sync(ENVIRONMENT, client=user, body=actions)
        self.assertEqual([(result.status, result.problem) for result in answer.results],
                         [(ActionStatus.APPLIED, UNSET)] * len(actions))
        page = get_notes.sync(ENVIRONMENT, client=user)
        self.assertEqual(page.order, ["n1"])
        note = page.details["n1"]
        self.assertEqual((note.title, note.body, note.tags, note.pinned),
                         ("Groceries!", "milk\nbread\neggs", ["shopping", "to do"], True))
        history = get_note_history.sync(ENVIRONMENT, "n1", client=user).history
        self.assertEqual(history[0].action, ActionName.RESTORENOTE)

    def test_actions_report_merges_and_refusals(self):
        """a merged action returns a delta, a repeated one its first result, and a refused one a problem"""
        user = self.user()
        first = [Action(ActionName.CREATENOTE, "n1", action_id="a1", body="milk"),
                 Action(ActionName.UPDATENOTE, "n1", action_id="a2", base=1, body=[4, "\nbread"])]
        perform_actions.sync(ENVIRONMENT, client=user, body=first)
        merged, repeated, refused = perform_actions.sync(ENVIRONMENT, client=user, body=[
            Action(ActionName.UPDATENOTE, "n1", action_id="a3", base=1, body=["eggs\n", 4]), first[0],
            Action(ActionName.UPDATENOTE, "never", base=1, body=[1])]).results
        self.assertEqual((merged.status, merged.body), (ActionStatus.MERGED, [9, "\nbread"]))
        self.assertEqual((repeated.status, repeated.first.status.value), (ActionStatus.DUPLICATE, "applied"))
        self.assertEqual(refused.status, ActionStatus.REJECTED)
        self.assertEqual(refused.problem.type_, "urn:almanac:problem:note-gone")

    def test_one_note(self):
        """one note is put, patched, read now and in the past, and deleted"""
        user = self.user()
        put_note.sync(ENVIRONMENT, "n1", client=user, body=NoteContent(title="Groceries", body="milk"))
        patched = patch_note.sync(
            ENVIRONMENT, "n1", client=user,
            body=NotePatch(base=1, body=[4, "\nbread"], tags=TagChange(add=["to do"])))
        self.assertEqual(patched.status, ActionStatus.APPLIED)
        note = get_note.sync(ENVIRONMENT, "n1", client=user)
        self.assertEqual((note.body, note.tags, note.revision), ("milk\nbread", ["to do"], 2))
        past = get_note.sync(ENVIRONMENT, "n1", client=user, revision="1")
        self.assertEqual((past.body, past.position), ("milk", UNSET))
        manifest = get_notes.sync(ENVIRONMENT, client=user, form=GetNotesForm.MANIFEST)
        self.assertEqual([entry.id for entry in manifest.manifest], ["n1"])
        delete_note.sync(ENVIRONMENT, "n1", client=user)
        self.assert_problem(get_note.sync(ENVIRONMENT, "n1", client=user), "note-gone")

    def test_problems_are_documents(self):
        """refusals are problem documents with their type, status and members"""
        gone = get_entry.sync_detailed(ENVIRONMENT, "no.such.key", client=self.visitor)
        self.assert_problem(gone.parsed, "entry-not-found")
        self.assertEqual((gone.status_code, gone.parsed.status), (404, 404))
        self.assert_problem(
            put_entry.sync(ENVIRONMENT, "a", client=self.visitor, body=EntryContent(value=1)), "token-needed")
        broken = put_entry.sync(
            ENVIRONMENT, "new-ui", client=self.operator,
            body=EntryContent(value={**FLAG, "defaultVariant": "neither"}, kind=EntryKind.FLAG))
        self.assert_problem(broken, "invalid-flag")
        self.assertEqual([fault.key for fault in broken.faults], ["new-ui"])


if __name__ == "__main__":
    unittest.main()
