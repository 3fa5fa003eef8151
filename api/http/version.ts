import { AppError } from '../../core/errors.ts';

export const CURRENT_VERSION = '2026-09-03';

export interface ApiVersion {
  version: string;
  changes: string[];
  deprecatedAt: string | null;
  sunsetAt: string | null;
}

/** Every version that can be pinned, newest first. */
export const apiVersions: readonly ApiVersion[] = [
  { version: CURRENT_VERSION, changes: ['The first version.'], deprecatedAt: null, sunsetAt: null },
];

/**
 * The version that serves a request: the one its header names, else the one recorded on its key, else the current one.
 * @throws AppError `unsupported_version`
 */
export function resolveVersion(header: string | undefined, recorded: string | null): string {
  const wanted = header ?? recorded ?? CURRENT_VERSION;
  if (apiVersions.some(({ version }) => version === wanted)) return wanted;
  const known = apiVersions.map(({ version }) => version).join(', ');
  throw new AppError('unsupported_version', `The API has no version "${wanted}"; there are: ${known}.`);
}
