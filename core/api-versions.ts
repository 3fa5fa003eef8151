import { AppError } from './errors/errors.ts';

export type JsonObject = Record<string, unknown>;

/**
 * An incompatible change to the API, with the functions that convert data for callers of older versions. All
 * functions are pure and work on plain JSON.
 */
export interface VersionChange {
  description: string;
  /** Ids of the API operations to which `convertRequest` and `convertResponse` apply. */
  operations?: readonly string[];
  /**
   * Converts a request body of the previous API version to this version. Runs before validation, so any value
   * may be invalid.
   */
  convertRequest?: (body: JsonObject) => JsonObject;
  /** Converts a response of this API version to the previous version. */
  convertResponse?: (body: unknown) => unknown;
  /** Names of the webhook events to which `convertEvent` applies. */
  events?: readonly string[];
  /**
   * Converts the `data` of an event from this version to the previous version. The function is not called for
   * events that were stored before the change, since they have the previous form.
   */
  convertEvent?: (data: JsonObject) => JsonObject;
  /** Converts the OpenAPI document of this API version to the previous version. */
  convertDocument?: (document: JsonObject) => JsonObject;
}

/**
 * A version of the API, named by its date. All dates have the form YYYY-MM-DD and mean midnight UTC.
 */
export interface ApiVersion {
  version: string;
  /** Incompatible changes to the API since the previous version, in the order in which they were made. */
  changes: readonly VersionChange[];
  deprecatedAt: string | null;
  sunsetAt: string | null;
}

/**
 * The versions of the API that callers can choose. Handlers use the current version; requests and responses
 * of older versions are converted.
 */
export class ApiVersions {
  /** All versions of the API, newest first. */
  readonly all: readonly ApiVersion[];
  readonly current: string;

  /** @param versions all versions of the API, newest first; at least one */
  constructor(versions: readonly ApiVersion[]) {
    const [newest] = versions;
    if (!newest) throw new Error('An API has at least one version.');
    this.all = versions;
    this.current = newest.version;
  }

  /**
   * Selects the API version for a request: the version in the request's header, or else the API key's
   * version, or else the current version.
   * @param recorded version stored with the API key; null if the key has none
   * @throws AppError `unsupported_version`
   */
  resolve(header: string | undefined, recorded: string | null): string {
    const requested = header ?? recorded ?? this.current;
    if (requested === this.current || this.all.some(({ version }) => version === requested)) return requested;
    const supported = this.all.map(({ version }) => version).join(', ');
    throw new AppError(
      'unsupported_version',
      `The API has no version "${requested}". Supported versions: ${supported}.`,
    );
  }

  /** Returns the changes to the API that were made after a version, newest first. */
  listChangesSince(version: string): VersionChange[] {
    const newer = this.all.slice(
      0,
      this.all.findIndex((candidate) => candidate.version === version),
    );
    return newer.flatMap(({ changes }) => changes.toReversed());
  }

  /**
   * Converts the `data` of an event to older versions. Returns the converted data by version, only for
   * versions in which the data differs.
   */
  buildOlderEvents(name: string, data: JsonObject): Record<string, JsonObject> {
    const older: Record<string, JsonObject> = {};
    for (const { version } of this.all.slice(1)) {
      const steps = this.listChangesSince(version).flatMap(({ events, convertEvent }) =>
        convertEvent && events?.includes(name) ? [convertEvent] : [],
      );
      if (steps.length > 0) older[version] = applySteps(data, steps);
    }
    return older;
  }

  /** Converts the current OpenAPI document to an older version. */
  buildDocument(version: string, document: JsonObject): JsonObject {
    const steps = this.listChangesSince(version).flatMap(({ convertDocument }) =>
      convertDocument ? [convertDocument] : [],
    );
    const older = applySteps(document, steps);
    return { ...older, info: { ...(older['info'] as JsonObject), version } };
  }
}

/** Applies functions one after the other, each to the result of the previous function. */
export function applySteps<T>(start: T, steps: readonly ((value: T) => T)[]): T {
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
