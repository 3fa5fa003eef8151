const SHARE = 0.68;

/**
 * Returns a darker shade of a color.
 * @param color color as #rrggbb
 */
export function darken(color: string): string {
  const channels = [1, 3, 5].map((at) => Math.round(parseInt(color.slice(at, at + 2), 16) * SHARE));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
