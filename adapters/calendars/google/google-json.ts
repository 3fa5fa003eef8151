import { parseLightJson } from '../../../core/text/json-weight.ts';
import { asObject, type JsonObject } from '../../http/response-values.ts';

/**
 * JSON limits of a response from Google Calendar. A page has 250 events with up to 200 attendees each, but
 * most have few.
 */
const MAX_WEIGHT = { values: 200_000, keys: 10_000, levels: 64 };

/**
 * Parses the body of a response from Google. Returns an empty object if the body is not a JSON object, or
 * exceeds the limits.
 */
export function parseJsonObject(body: Buffer): JsonObject {
  return asObject(parseLightJson(body.toString('utf8'), MAX_WEIGHT));
}

export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
