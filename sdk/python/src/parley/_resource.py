"""Base classes of the generated resources."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import httpx

from ._calls import Call, CallOptions, Inputs, Options
from ._errors import APIConnectionError
from ._models import Model
from ._omitted import OMITTED
from ._operations import Operation, Resume
from ._pages import AsyncPage, AsyncPages, Content, Page, Query, Reader
from ._raw import RawResponse
from ._streams import AsyncStream, Stream
from ._transport import AsyncTransport, Transport

T = TypeVar("T")

NO_OPTIONS = CallOptions()


class Resource:
    """Operations on a kind of resource."""

    def __init__(self, transport: Transport, options: Options, is_raw: bool = False) -> None:
        self._transport = transport
        self._options = options
        self._is_raw = is_raw

    def _call(self, operation: Operation[T], inputs: Inputs, call: CallOptions = NO_OPTIONS) -> T:
        response = self._transport.send(Call(operation, self._options, inputs, call))
        return self._result(response, _decode(operation, response, self._options))

    def _list(self, operation: Operation[Any], reader: Reader[T], inputs: Inputs, call: CallOptions) -> Page[T]:
        response = self._transport.send(Call(operation, self._options, inputs, call))

        def fetch(query: Query) -> Page[T]:
            resource = type(self)(self._transport, self._options)
            return resource._list(operation, reader, Inputs(inputs.path, query), call)

        return self._result(response, Page(_content(operation, response, reader, inputs.query, self._options), fetch))

    def _stream(
        self,
        operation: Operation[Any],
        resume: Resume,
        models: Mapping[str, type[Model]],
        inputs: Inputs,
        call: CallOptions,
    ) -> Stream[Any]:
        identified = _with_client_id(operation, resume, inputs)
        return Stream(self._transport, Call(operation, self._options, identified, call), resume, models)

    def _result(self, response: httpx.Response, data: T) -> T:
        return cast(T, RawResponse(response, data)) if self._is_raw else data


class AsyncResource:
    """`Resource` for asyncio."""

    def __init__(self, transport: AsyncTransport, options: Options, is_raw: bool = False) -> None:
        self._transport = transport
        self._options = options
        self._is_raw = is_raw

    async def _call(self, operation: Operation[T], inputs: Inputs, call: CallOptions = NO_OPTIONS) -> T:
        response = await self._transport.send(Call(operation, self._options, inputs, call))
        return self._result(response, _decode(operation, response, self._options))

    def _list(self, operation: Operation[Any], reader: Reader[T], inputs: Inputs, call: CallOptions) -> AsyncPages[T]:
        return AsyncPages(lambda: self._page(operation, reader, inputs, call))

    async def _page(
        self, operation: Operation[Any], reader: Reader[T], inputs: Inputs, call: CallOptions
    ) -> AsyncPage[T]:
        response = await self._transport.send(Call(operation, self._options, inputs, call))

        async def fetch(query: Query) -> AsyncPage[T]:
            resource = type(self)(self._transport, self._options)
            return await resource._page(operation, reader, Inputs(inputs.path, query), call)

        return self._result(response, AsyncPage(_content(operation, response, reader, inputs.query, self._options), fetch))

    def _stream(
        self,
        operation: Operation[Any],
        resume: Resume,
        models: Mapping[str, type[Model]],
        inputs: Inputs,
        call: CallOptions,
    ) -> AsyncStream[Any]:
        identified = _with_client_id(operation, resume, inputs)
        return AsyncStream(self._transport, Call(operation, self._options, identified, call), resume, models)

    def _result(self, response: httpx.Response, data: T) -> T:
        return cast(T, RawResponse(response, data)) if self._is_raw else data


def _decode(operation: Operation[T], response: httpx.Response, options: Options) -> T:
    with _explain_invalid_response(response, options):
        return operation.decode(response)


def _content(
    operation: Operation[Any], response: httpx.Response, reader: Reader[T], query: Query, options: Options
) -> Content[T]:
    with _explain_invalid_response(response, options):
        return reader(operation.decode(response), query, "next" in response.links)


@contextmanager
def _explain_invalid_response(response: httpx.Response, options: Options) -> Generator[None, None, None]:
    """Converts the errors of an invalid response, which does not come from Parley."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        url = str(response.request.url.copy_with(query=None))
        message = f"The response from {url} cannot be read. Check that {options.url_setting} is the URL of Parley."
        raise APIConnectionError(message) from error


def _with_client_id(operation: Operation[Any], resume: Resume, inputs: Inputs) -> Inputs:
    """Adds a `client_id`, so that resuming the stream does not write the message again."""
    if operation.method != "POST" or resume != "lastEventId":
        return inputs
    body = dict(inputs.body)
    if body.get("client_id", OMITTED) is OMITTED:
        body["client_id"] = str(uuid.uuid4())
    return Inputs(inputs.path, inputs.query, inputs.headers, body)
