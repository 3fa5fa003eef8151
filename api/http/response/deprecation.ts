/** A planned removal of an operation or field. Dates have the format YYYY-MM-DD. */
export interface Deprecation {
  since: string;
  sunset?: string | null;
  /** URL of a page about the replacement of the operation or field. */
  link: string;
}

/**
 * Builds the headers Deprecation (RFC 9745) and Sunset (RFC 8594). Of several deprecations, the earliest
 * dates count.
 */
export function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string | string[]> {
  const since = earliest(deprecations.map((deprecation) => deprecation.since));
  if (since === undefined) return {};
  const sunset = earliest(deprecations.flatMap((deprecation) => deprecation.sunset ?? []));
  return {
    Deprecation: `@${since.getTime() / 1000}`,
    ...(sunset && { Sunset: sunset.toUTCString() }),
    Link: deprecations.flatMap(({ link, sunset: end }) => [
      `<${link}>; rel="deprecation"`,
      ...(end ? [`<${link}>; rel="sunset"`] : []),
    ]),
  };
}

function earliest(dates: string[]): Date | undefined {
  const [first] = dates.toSorted();
  return first === undefined ? undefined : new Date(first);
}
