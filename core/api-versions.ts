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
  /** Makes the body of an older request one of this version. It runs before validation: any member may be amiss. */
  request?: (body: JsonObject) => JsonObject;
  /** Makes a JSON answer of this version an older one. */
  response?: (body: unknown) => unknown;
  /** Names of the events that `event` is for. */
  events?: readonly string[];
  /** Makes an event's `data` of this version older; data written by the release before is older already. */
  event?: (data: JsonObject) => JsonObject;
  /** Makes the OpenAPI document of this version an older one. */
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

/** The versions that can be pinned. Everything is made as the current one has it, and walked back from there. */
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
   * The version that serves a request: the one its header names, else the one recorded on its key, else the current one.
   * @throws AppError `unsupported_version`
   */
  resolve(header: string | undefined, recorded: string | null): string {
    const wanted = header ?? recorded ?? this.current;
    if (wanted === this.current || this.all.some(({ version }) => version === wanted)) return wanted;
    const known = this.all.map(({ version }) => version).join(', ');
    throw new AppError('unsupported_version', `The API has no version "${wanted}"; there are: ${known}.`);
  }

  /** The changes made after a version, newest first: the way back to it. */
  listChangesSince(version: string): VersionChange[] {
    const newer = this.all.slice(
      0,
      this.all.findIndex((candidate) => candidate.version === version),
    );
    return newer.flatMap(({ changes }) => changes.toReversed());
  }

  /** The `data` of an event for each older version in which it is different. */
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

  /** The OpenAPI document of a version, made from the current one. */
  buildDocument(version: string, document: JsonObject): JsonObject {
    const steps = this.listChangesSince(version).flatMap(({ schema }) => (schema ? [schema] : []));
    const older = walk(document, steps);
    return { ...older, info: { ...(older['info'] as JsonObject), version } };
  }
}

/** Takes one step after the other. */
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
