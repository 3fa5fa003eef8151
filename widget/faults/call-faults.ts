import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { findNearestNames } from '../../core/text/nearest-names.ts';
import { EVENTS, isText } from '../option-check.ts';

/**
 * Describes a call of `window.Parley` that the widget ignores, with the correct call, for the page's
 * developer.
 */
export function describeCall(name: 'on' | 'send', value: unknown): string {
  if (name === 'on') return describeListening(value);
  if (!isText(value))
    return `Parley.send takes a string, but received ${describeType(value)}, so nothing was sent.`;
  return `Parley.send received ${countCharacters(String(value))} characters, but a message has at most ${MAX_MESSAGE_LENGTH}, so nothing was sent.`;
}

function describeListening(event: unknown): string {
  if (EVENTS.includes(event as string))
    return `Parley.on("${String(event)}") has no listener. Write Parley.on("${String(event)}", (data) => { … }).`;
  const near = typeof event === 'string' ? findNearestNames(event, EVENTS) : [];
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known events: ${EVENTS.join(', ')}.`;
  return `Parley.on has no event ${typeof event === 'string' ? JSON.stringify(event) : String(event)}. ${hint}`;
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return value instanceof Promise ? 'a promise (await it)' : `a value of the type ${typeof value}`;
}
