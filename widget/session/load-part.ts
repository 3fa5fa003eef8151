/** What the names of the parts end with; the build says. */
declare const PART_NAME: string;

/** What could not be loaded is left alone for so long. */
const PAUSE_MS = 1000;

const loading: Partial<Record<string, Promise<unknown>>> = {};
let tries = 0;

/**
 * A part of the widget that is a script of its own, there once it is needed.
 * @param base address of the API without a slash at its end
 * @throws TypeError when it cannot be loaded
 */
export function loadPart<T>(base: string, name: 'booking' | 'form'): Promise<T> {
  // Some browsers never try the same address again.
  const part = (loading[name] ??= import(`${base}/widget/${name}${PART_NAME}?${(tries += 1)}`));
  part.catch(() => setTimeout(() => delete loading[name], PAUSE_MS));
  return part as Promise<T>;
}
