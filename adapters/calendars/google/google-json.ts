export type JsonObject = Record<string, unknown>;

/** Parses a body; returns an empty object unless it is a JSON object. */
export function parseJsonObject(body: Buffer): JsonObject {
  try {
    return asObject(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
