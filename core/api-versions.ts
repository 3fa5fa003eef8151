import { AppError } from './errors/errors.ts';

export type JsonObject = Record<string, unknown>;

/**
 * An incompatible change, and how to undo it for callers of an older version. All functions are pure and take
 * plain JSON.
 */
export interface VersionChange {
  description: string;
  /** Ids of the operations that `request` and `response` are for. */
  operations?: readonly string[];
  /** Converts the body of an older request to this version. It runs before validation, so any member may be invalid. */
  request?: (body: JsonObject) => JsonObject;
  /** Converts a JSON response of this version to the older one. */
  response?: (body: unknown) => unknown;
  /** Names of the events that `event` is for. */
  events?: readonly string[];
  /**
   * Converts an event's `data` of this version to the older one. Data that the previous release wrote is already older.
   */
  event?: (data: JsonObject) => JsonObject;
  /** Converts the OpenAPI document of this version to the older one. */
  schema?: (document: JsonObject) => JsonObject;
}

/** A dated version of the API. All dates are YYYY-MM-DD and begin at midnight UTC. */
export interface ApiVersion {
  version: string;
  /** Changes from the previous version, in chronological order. */
  changes: readonly VersionChange[];
  deprecatedAt: string | null;
  sunsetAt: string | null;
}

/** The versions that can be pinned. Everything is built for the current version, and converted back from it. */
export class ApiVersions {
  /** Newest first. */
  readonly all: readonly ApiVersion[];
  readonly current: string;

  /** @param versions newest first, at least one */
  constructor(versions: readonly ApiVersion[]) {
    const [newest] = versions;
    if (!newest) throw new Error('An API has at least one version.');
    this.all = versions;
    this.current = newest.version;
  }

  /**
   * Returns the version that serves a request: the one in its header, otherwise the key's, otherwise the current one.
   * @throws AppError `unsupported_version`
   */
  resolve(header: string | undefined, recorded: string | null): string {
    const wanted = header ?? recorded ?? this.current;
    if (wanted === this.current || this.all.some(({ version }) => version === wanted)) return wanted;
    const known = this.all.map(({ version }) => version).join(', ');
    throw new AppError('unsupported_version', `The API has no version "${wanted}"; there are: ${known}.`);
  }

  /** Returns the changes made after a version, newest first. */
  listChangesSince(version: string): VersionChange[] {
    const newer = this.all.slice(
      0,
      this.all.findIndex((candidate) => candidate.version === version),
    );
    return newer.flatMap(({ changes }) => changes.toReversed());
  }

  /** Returns the `data` of an event for each older version in which it differs. */
  buildOlderEvents(name: string, data: JsonObject): Record<string, JsonObject> {
    const older: Record<string, JsonObject> = {};
    for (const { version } of this.all.slice(1)) {
      const steps = this.listChangesSince(version).flatMap(({ events, event }) =>
        event && events?.includes(name) ? [event] : [],
      );
      if (steps.length > 0) older[version] = walk(data, steps);
    }
    return older;
  }

  /** Returns the OpenAPI document of a version, derived from the current one. */
  buildDocument(version: string, document: JsonObject): JsonObject {
    const steps = this.listChangesSince(version).flatMap(({ schema }) => (schema ? [schema] : []));
    const older = walk(document, steps);
    return { ...older, info: { ...(older['info'] as JsonObject), version } };
  }
}

/** Applies conversions one after the other. */
export function walk<T>(start: T, steps: readonly ((value: T) => T)[]): T {
  return steps.reduce((value, step) => step(value), start);
}

export const shippedVersions = new ApiVersions([
  {
    version: '2026-09-03',
    changes: [{ description: 'The first version.' }],
    deprecatedAt: null,
    sunsetAt: null,
  },
]);
