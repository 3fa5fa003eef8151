export type Theme = Record<string, unknown>;

/**
 * Maximum number of values in a bot's widget theme, at any depth. The widget uses far fewer, and every page
 * with the widget loads them.
 */
export const MAX_THEME_VALUES = 1000;
/** Maximum size of a bot's widget theme as JSON, in bytes. Every page with the widget loads it. */
export const MAX_THEME_BYTES = 100_000;

/**
 * Returns a bot's widget theme with changed keys replaced. A null value removes its key; null as `changes`
 * removes all keys.
 */
export function mergeTheme(current: Theme, changes: Theme | null): Theme {
  if (changes === null) return {};
  const { dark_palette: palette, ...others } = changes;
  const merged = mergeKeys(current, others);
  if (palette === undefined) return merged;
  const colors = palette && mergeKeys((current['dark_palette'] ?? {}) as Theme, palette as Theme);
  return mergeKeys(merged, { dark_palette: colors });
}

function mergeKeys(current: Theme, changes: Theme): Theme {
  return Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  );
}
