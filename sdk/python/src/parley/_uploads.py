"""Files as callers give them, and as they are sent."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, Any, Union

FileContent = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
FileInput = Union[FileContent, "tuple[str, FileContent]"]
"""A path, bytes or an open binary file; or a tuple of the name that the file is to have, and one of these."""

_NAMELESS = "file"


class Upload:
    """A file that goes into a form, with texts beside it."""

    def __init__(self, field: str, file: FileInput, texts: dict[str, Any]) -> None:
        self._field = field
        self._texts = {name: str(value) for name, value in texts.items()}
        name, self._content = file if isinstance(file, tuple) else (None, file)
        self._name = name or _name_of(self._content)
        self._start = _position_of(self._content)

    @property
    def can_be_repeated(self) -> bool:
        """Whether the same bytes can be sent again: a stream that cannot go back has them once."""
        return not hasattr(self._content, "read") or self._start is not None

    @contextmanager
    def opened(self) -> Generator[dict[str, Any], None, None]:
        """What httpx is given for one attempt."""
        content: Any = self._content
        if isinstance(content, (str, os.PathLike)):
            with open(content, "rb") as file:
                yield self._form(file)
            return
        if self._start is not None:
            content.seek(self._start)
        yield self._form(content)

    def _form(self, content: Any) -> dict[str, Any]:
        media_type = mimetypes.guess_type(self._name)[0] or "application/octet-stream"
        return {"data": self._texts, "files": {self._field: (self._name, content, media_type)}}


def _name_of(content: Any) -> str:
    path = content if isinstance(content, (str, os.PathLike)) else getattr(content, "name", None)
    return os.path.basename(path) if isinstance(path, (str, os.PathLike)) else _NAMELESS


def _position_of(content: Any) -> int | None:
    try:
        return int(content.tell()) if content.seekable() else None
    except (AttributeError, OSError, ValueError):
        return None
