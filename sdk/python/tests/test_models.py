from __future__ import annotations

import copy
import json
import pickle
import unittest
from collections.abc import Mapping

from parley.types import AnalyticsOverview, BotRead, KnowledgeSearchHit, KnowledgeSearchResponse


class Models(unittest.TestCase):
    bot = BotRead({"id": "b1", "name": "Help", "last_error": None, "custom_endpoint_config": {"model": "m"}, "new": [1]})
    found = KnowledgeSearchResponse({"items": [{"title": "Fares"}], "searched_for": "fares"})

    def test_is_a_mapping_with_attributes(self) -> None:
        self.assertIsInstance(self.bot, Mapping)
        self.assertEqual((self.bot.name, self.bot["name"], self.bot.get("name")), ("Help", "Help", "Help"))
        self.assertEqual(dict(self.bot)["id"], "b1")
        self.assertEqual({**self.bot}["id"], "b1")
        self.assertEqual(json.loads(json.dumps(self.bot.to_dict()))["new"], [1])

    def test_accepts_only_mappings(self) -> None:
        for data in (None, "x", [("id", "b1")]):
            with self.assertRaisesRegex(TypeError, "BotRead requires a mapping"):
                BotRead(data)  # type: ignore[arg-type]

    def test_converts_nested_objects_to_models(self) -> None:
        config = self.bot.custom_endpoint_config
        assert config is not None
        self.assertEqual((type(config).__name__, config.model), ("CustomEndpointConfigRead", "m"))

    def test_keeps_unknown_keys(self) -> None:
        self.assertEqual(self.bot["new"], [1])
        self.assertEqual(getattr(self.bot, "new"), [1])

    def test_returns_none_for_an_absent_field_and_refuses_an_unknown_one(self) -> None:
        self.assertIsNone(self.found.nearest)
        self.assertNotIn("nearest", self.found)
        with self.assertRaisesRegex(AttributeError, "KnowledgeSearchResponse has no field 'titel'"):
            getattr(self.found, "titel")

    def test_names_the_field_that_is_written_in_camel_case(self) -> None:
        for name, message in (
            ("publicKey", "BotRead has no field 'publicKey'. Did you mean public_key?"),
            ("privateKey", "BotRead has no field 'privateKey'"),
        ):
            with self.assertRaises(AttributeError) as caught:
                getattr(self.bot, name)
            self.assertEqual(str(caught.exception), message)

    def test_has_fields_with_names_of_methods_or_keywords(self) -> None:
        self.assertEqual(self.found.items, [KnowledgeSearchHit({"title": "Fares"})])
        self.assertEqual(AnalyticsOverview({"from": "2026-11-01"}).from_, "2026-11-01")

    def test_cannot_be_changed(self) -> None:
        with self.assertRaisesRegex(AttributeError, "BotRead is read-only"):
            self.bot.name = "Other"

    def test_is_compared_by_content_and_can_be_copied(self) -> None:
        self.assertEqual(self.bot, self.bot.to_dict())
        self.assertEqual(copy.deepcopy(self.bot), self.bot)
        self.assertEqual(pickle.loads(pickle.dumps(self.found)).items[0].title, "Fares")
        self.assertNotEqual(self.bot, self.found)

    def test_has_a_repr_with_its_fields(self) -> None:
        self.assertEqual(repr(KnowledgeSearchHit({"title": "Fares"})), "KnowledgeSearchHit(title='Fares')")
