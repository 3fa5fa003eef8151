export type Theme = Record<string, unknown>;

/** Values of a theme at any depth: many times those that the widget knows, and each page with the widget reads them. */
export const MAX_THEME_VALUES = 1000;
/** Size of a theme as JSON, with all that changes have added: every page with the widget loads it. */
export const MAX_THEME_BYTES = 100_000;

/** The keys that are sent take the place of those that there are; null removes one, or all. */
export function mergedTheme(present: Theme, changes: Theme | null): Theme {
  if (changes === null) return {};
  const { dark_palette: palette, ...others } = changes;
  const merged = mergedKeys(present, others);
  if (palette === undefined) return merged;
  const colours = palette && mergedKeys((present['dark_palette'] ?? {}) as Theme, palette as Theme);
  return mergedKeys(merged, { dark_palette: colours });
}

function mergedKeys(present: Theme, changes: Theme): Theme {
  return Object.fromEntries(
    Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  );
}
