/** Suffix of the scripts' file names, defined by the build. */
declare const PART_NAME: string;

/** Time before a failed script may be loaded again. */
const PAUSE_MS = 1000;

const loading: Partial<Record<string, Promise<unknown>>> = {};
let tries = 0;

/**
 * Loads a part of the widget that is a separate script.
 * @param base URL of the API without a trailing slash
 * @throws TypeError if the script cannot be loaded
 */
export function loadPart<T>(base: string, name: 'booking' | 'form'): Promise<T> {
  // Some browsers never retry a URL that has failed once.
  const part = (loading[name] ??= import(`${base}/widget/${name}${PART_NAME}?${(tries += 1)}`));
  part.catch(() => setTimeout(() => delete loading[name], PAUSE_MS));
  return part as Promise<T>;
}
