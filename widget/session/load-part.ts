/** Suffix in the file names of the widget's scripts, which the build inserts. */
declare const PART_NAME: string;

/** Milliseconds after a failed loading of a script before the widget may try again. */
const FAILURE_PAUSE_MS = 1000;

const parts: Partial<Record<string, Promise<unknown>>> = {};
let attempts = 0;

/**
 * Loads a part of the widget that is a separate script, unless it is already loaded.
 * @param base URL of the API without a trailing slash
 * @throws TypeError if the script cannot be loaded
 */
export function loadPart<T>(
  base: string,
  name: 'booking' | 'directory' | 'faults' | 'form' | 'launcher' | 'markdown' | 'rating' | 'sheets',
): Promise<T> {
  // Add a number to the URL for each attempt, because some browsers never retry a URL that has failed once.
  const part = (parts[name] ??= import(`${base}/widget/${name}${PART_NAME}?${(attempts += 1)}`));
  part.catch(() => setTimeout(() => delete parts[name], FAILURE_PAUSE_MS));
  return part as Promise<T>;
}
