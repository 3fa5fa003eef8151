"""Objects of responses: mappings whose known keys are also attributes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar


class Model(Mapping[str, Any]):
    """An object of the API. Unknown keys are available as `model["key"]`.

    The attribute of a field that is a Python keyword ends in an underscore: `overview.from_`.
    """

    __slots__ = ("_data",)

    _nested: ClassVar[Mapping[str, str]] = {}
    """Class names, within the same module, of fields with a model or a list of models."""
    _required: ClassVar[frozenset[str]] = frozenset()
    """Fields that distinguish this member of a union."""

    _data: Mapping[str, Any]

    def __init__(self, data: Mapping[str, Any]) -> None:
        if not isinstance(data, Mapping):
            raise TypeError(f"{type(self).__name__} requires a mapping, not {type(data).__name__}.")
        object.__setattr__(self, "_data", data)

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            if hasattr(Mapping, name):
                setattr(cls, name, _FieldBesideMethod(name))

    def to_dict(self) -> dict[str, Any]:
        """Returns the original object, for example for `json.dumps`."""
        return dict(self._data)

    def __getitem__(self, key: str) -> Any:
        value = self._data[key]
        return self._wrap(key, value) if key in self._nested else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Model):
            return bool(self._data == other._data)
        return isinstance(other, Mapping) and self._data == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{key}={value!r}" for key, value in self._data.items())
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[type[Model], tuple[dict[str, Any]]]:
        return type(self), (self.to_dict(),)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only; pass changes to a method of the client.")

    def _wrap(self, key: str, value: Any) -> Any:
        model: type[Model] = getattr(sys.modules[type(self).__module__], self._nested[key])
        if isinstance(value, list):
            return [model(item) if isinstance(item, Mapping) else item for item in value]
        return model(value) if isinstance(value, Mapping) else value

    def _field(self, name: str) -> Any:
        key = name if name in self._data or not name.endswith("_") else name[:-1]
        if key in self._data:
            return self[key]
        if name in type(self).__annotations__:
            return None
        snake = re.sub("([A-Z])", r"_\1", name).lower()
        is_field = snake != name and (snake in self._data or snake in type(self).__annotations__)
        advice = f". Did you mean {snake}?" if is_field else ""
        raise AttributeError(f"{type(self).__name__} has no field {name!r}{advice}")

    if not TYPE_CHECKING:
        # Hidden from type checkers, so that they report unknown names.
        __getattr__ = _field


class _FieldBesideMethod:
    """Makes a field hide a mapping's method of the same name, such as `items`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Model | None, owner: type[Model]) -> Any:
        return self if instance is None else instance._field(self._name)
