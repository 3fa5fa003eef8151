const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** Converts a User-Agent header to a readable name, such as `Firefox on Linux`. */
export function parseDeviceName(userAgent: string | null): string {
  if (!userAgent) return 'an unknown device';
  const findName = (patterns: [string, RegExp][]) =>
    patterns.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [findName(browsers), findName(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? userAgent.split(/[\s/]/)[0]!.slice(0, 40);
}
