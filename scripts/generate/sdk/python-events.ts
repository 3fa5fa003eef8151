import { snakeCase } from './names.ts';
import type { SdkApi, TypeRef } from './ir.ts';
import { docstring, indented, pythonString } from './python-text.ts';

interface NamedEvent {
  event: string;
  data: TypeRef;
}

/** Generates the module with the events of streams. */
export function eventsModule(api: SdkApi): string[] {
  return [
    '"""The events of streams. Others may come, with plain JSON as their data: have a default."""',
    ...imports('Event'),
    ...api.eventUnions.flatMap(({ name, description, events }) => [
      '',
      ...unionOf(name, 'Event', events),
      ...docstring([description], 0),
      ...mapOf(`${snakeCase(name).toUpperCase()}S`, events),
    ]),
  ];
}

/** Generates the module with the events of webhooks. */
export function webhookEventsModule(api: SdkApi): string[] {
  return [
    '"""The events that webhooks are told. Others may come, with plain JSON as their data: have a default."""',
    ...imports('WebhookEvent'),
    '',
    ...unionOf('AnyWebhookEvent', 'WebhookEvent', api.webhookEvents),
    ...mapOf('WEBHOOK_EVENTS', api.webhookEvents),
  ];
}

function imports(kind: string): string[] {
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

function unionOf(name: string, kind: string, events: readonly NamedEvent[]): string[] {
  const members = events.map(
    ({ event, data }) => `${kind}[Literal[${pythonString(event)}], ${dataOf(data)}],`,
  );
  return [`${name} = Union[`, ...indented(members), ']'];
}

function mapOf(name: string, events: readonly NamedEvent[]): string[] {
  const entries = events.map(({ event, data }) => `${pythonString(event)}: ${dataOf(data)},`);
  return ['', `${name}: Mapping[str, type[Model]] = {`, ...indented(entries), '}'];
}

function dataOf(type: TypeRef): string {
  if (type.kind !== 'model') throw new Error('The data of an event is an object.');
  return `models.${type.name}`;
}
