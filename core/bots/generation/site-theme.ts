/** Colors of a website, the most important colors first. */
export interface SiteColors {
  /**
   * Colors that the website declares: `theme-color`, the colors of its manifest, and CSS variables with
   * names such as “brand”.
   */
  named: string[];
  /** All colors in the style sheets, in order. A color that is used several times occurs several times. */
  used: string[];
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Minimum saturation of a theme color from a website; less saturated colors look gray. */
const MIN_SATURATION = 0.25;
const LIGHTNESS = { min: 0.15, max: 0.7 };
/** Factor by which the end color of the widget's gradient is darker than its start color. */
const DARKER = 0.75;
/**
 * Builds the theme of the widget from the main color of a website. Returns an empty theme if the website has
 * only grays.
 */
export function buildSiteTheme({ named, used }: SiteColors): Record<string, unknown> {
  const color = named.map(parseRgb).find(isDistinctive) ?? findMostCommonColor(used);
  if (!color) return {};
  const [from, to] = [toHex(color), toHex(darken(color))];
  return { primary_color: from, gradient: { from_color: from, to_color: to, angle: 135 } };
}

function findMostCommonColor(used: readonly string[]): Rgb | undefined {
  const counts = new Map<string, number>();
  for (const text of used) {
    const color = parseRgb(text);
    if (isDistinctive(color)) counts.set(toHex(color), (counts.get(toHex(color)) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first && (parseRgb(first[0]) ?? undefined);
}

function parseRgb(text: string): Rgb | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g)!;
    return digits.map((pair) => Number.parseInt(pair, 16)) as unknown as Rgb;
  }
  const parts = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(text.trim());
  const values = parts?.slice(1).map(Number);
  return values?.every((value) => value <= 255) ? (values as unknown as Rgb) : null;
}

function isDistinctive(color: Rgb | null): color is Rgb {
  if (!color) return false;
  const [max, min] = [Math.max(...color) / 255, Math.min(...color) / 255];
  const lightness = (max + min) / 2;
  const saturation = max === min ? 0 : (max - min) / (1 - Math.abs(2 * lightness - 1));
  return saturation >= MIN_SATURATION && lightness >= LIGHTNESS.min && lightness <= LIGHTNESS.max;
}

const darken = (color: Rgb) => color.map((value) => Math.round(value * DARKER)) as unknown as Rgb;
const toHex = (color: Rgb) => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
