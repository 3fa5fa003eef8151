"""Uploads of files."""

from __future__ import annotations

import errno
import json
import mimetypes
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Union

from ._checks import refuse_coroutine, require_text

FileContent = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
FileInput = Union[FileContent, "tuple[str, FileContent]", "tuple[str, FileContent, str]"]
"""A path, bytes or an open binary file; or a tuple of a name, one of these, and optionally a media type."""

_NAMELESS = "file"


def _text(name: str, value: object) -> str:
    refuse_coroutine(name, value)
    if isinstance(value, (list, tuple)):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


class Upload:
    """A file and text fields of a form."""

    def __init__(self, field: str, file: FileInput, texts: Mapping[str, Any]) -> None:
        self._field = field
        self._texts = {name: _text(name, value) for name, value in texts.items() if value is not None}
        name, self._content, media_type = _parts(field, file)
        refuse_coroutine(field, self._content)
        if not isinstance(self._content, (str, os.PathLike, bytes)) and not hasattr(self._content, "read"):
            kind = type(self._content).__name__
            raise TypeError(f"{field} is of the type {kind}. Pass a path, bytes or an open binary file.")
        self._name = name or _file_name(self._content)
        self._media_type = media_type or mimetypes.guess_type(self._name)[0] or "application/octet-stream"
        self._start = _read_position(self._content)
        _require_rest(field, self._content, self._start)

    @property
    def is_repeatable(self) -> bool:
        """Whether a retry can send the same bytes, which a stream without `seek` cannot."""
        return not hasattr(self._content, "read") or self._start is not None

    @contextmanager
    def opened(self) -> Generator[dict[str, Any], None, None]:
        """Returns the arguments of httpx for an attempt, and keeps the file open."""
        content: Any = self._content
        if isinstance(content, (str, os.PathLike)):
            with _open(content) as file:
                yield self._form(file)
            return
        yield self._form(content if self._start is None else _Remainder(content, self._start))

    def _form(self, content: Any) -> dict[str, Any]:
        return {"data": self._texts, "files": {self._field: (self._name, content, self._media_type)}}


class _Remainder:
    """A file from its position at the call; httpx alone would send the file from its start."""

    def __init__(self, file: IO[bytes], start: int) -> None:
        self._file = file
        self._start = start
        self.seek(0)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def tell(self) -> int:
        return self._file.tell() - self._start

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._file.seek(self._start + offset if whence == os.SEEK_SET else offset, whence)
        return self.tell()


def _parts(field: str, file: Any) -> tuple[str | None, Any, str | None]:
    """@raises TypeError for a tuple with other items"""
    if not isinstance(file, tuple):
        return None, file, None
    if len(file) not in (2, 3) or not isinstance(file[0], (str, type(None))):
        kinds = ", ".join(type(item).__name__ for item in file)
        raise TypeError(f"{field} is a tuple of ({kinds}). Pass (name, content) or (name, content, media_type).")
    name, content, *media_type = file
    if media_type:
        require_text(f"The media type of {field}", media_type[0])
    return name, content, media_type[0] if media_type else None


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    """@raises OSError with advice for a text in place of a path"""
    try:
        return open(path, "rb")
    except OSError as error:
        if not isinstance(path, str) or error.errno not in (errno.ENOENT, errno.ENAMETOOLONG):
            raise
        advice = "A str is a path. To send text, pass (name, text.encode())"
        raise OSError(error.errno, f"{error.strerror}. {advice}", path) from None


def _file_name(content: Any) -> str:
    path = content if isinstance(content, (str, os.PathLike)) else getattr(content, "name", None)
    return os.path.basename(path) if isinstance(path, (str, os.PathLike)) else _NAMELESS


def _require_rest(field: str, content: Any, position: int | None) -> None:
    """@raises ValueError for a file that was read to its end before the call"""
    if position and content.seek(0, os.SEEK_END) == position:
        raise ValueError(f"{field} was already read to its end. Call seek(0) on it first.")


def _read_position(content: Any) -> int | None:
    try:
        return int(content.tell()) if content.seekable() else None
    except (AttributeError, OSError, ValueError):
        return None
