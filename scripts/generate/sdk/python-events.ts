import { snakeCase } from './names.ts';
import type { SdkApi, TypeRef } from './sdk-api.ts';
import { renderDocstring, indentLines, pythonString } from './python-text.ts';

interface NamedEvent {
  event: string;
  data: TypeRef;
}

/** Generates the module of the Python SDK with the events of streams. */
export function renderEventsModule(api: SdkApi): string[] {
  return [
    '"""Stream events. Handle unknown events, whose data is plain JSON: Parley may add events."""',
    ...renderEventImports('Event'),
    ...api.eventUnions.flatMap(({ name, description, events }) => [
      '',
      ...renderUnion(name, 'Event', events),
      ...renderDocstring([description], 0),
      ...renderMap(`${snakeCase(name).toUpperCase()}S`, events),
    ]),
  ];
}

/** Generates the module of the Python SDK with the events of webhooks. */
export function renderWebhookEventsModule(api: SdkApi): string[] {
  return [
    '"""Webhook events. Handle unknown events, whose data is plain JSON: Parley may add events."""',
    ...renderEventImports('WebhookEvent'),
    '',
    ...renderUnion('AnyWebhookEvent', 'WebhookEvent', api.webhookEvents),
    ...renderMap('WEBHOOK_EVENTS', api.webhookEvents),
  ];
}

function renderEventImports(kind: string): string[] {
  return [
    '',
    'from __future__ import annotations',
    '',
    'from typing import Literal, Mapping, Union',
    '',
    `from .._events import ${kind}`,
    'from .._models import Model',
    'from . import models',
  ];
}

function renderUnion(name: string, kind: string, events: readonly NamedEvent[]): string[] {
  const members = events.map(
    ({ event, data }) => `${kind}[Literal[${pythonString(event)}], ${renderDataType(data)}],`,
  );
  return [`${name} = Union[`, ...indentLines(members), ']'];
}

function renderMap(name: string, events: readonly NamedEvent[]): string[] {
  const entries = events.map(({ event, data }) => `${pythonString(event)}: ${renderDataType(data)},`);
  return ['', `${name}: Mapping[str, type[Model]] = {`, ...indentLines(entries), '}'];
}

function renderDataType(type: TypeRef): string {
  if (type.kind !== 'model') throw new Error('The data of an event is an object.');
  return `models.${type.name}`;
}
