import type { CheerioAPI } from 'cheerio';
import { cutText } from '../../core/text/cut-text.ts';
import { cleanLine } from '../extraction/clean-text.ts';
import { parseLink } from './parse-link.ts';

/** Elements of a web page from which Parley derives the site's colors and icon. */
export interface PageStyle {
  themeColor: string;
  manifest: string | null;
  sheets: string[];
  /** Style rules (CSS) in the page itself, not in linked style sheets. */
  css: string;
  icons: SiteIcon[];
}

export interface SiteIcon {
  url: string;
  /** Size of the site's icon in pixels as the page declares it; 0 if unknown. */
  pixels: number;
}

export interface ManifestStyle {
  color: string;
  icons: SiteIcon[];
}

const MAX_CSS = 64 * 1024;
const MAX_COLORS = 2000;
const MAX_COLOR_CHARACTERS = 40;
const MAX_ICONS = 20;
const MAX_SHEETS = 20;
/** Maximum number of characters that are read of an icon's `sizes` attribute. */
const MAX_SIZES = 200;
/** Size in pixels that is assumed for an Apple touch icon that declares no size. */
const APPLE_PIXELS = 180;
const COLOR = String.raw`#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z_-])|rgb\([^()]{5,30}\)`;
const NAMED = new RegExp(String.raw`--[\w-]{0,40}(?:brand|primary|accent)[\w-]{0,40}\s*:\s*(${COLOR})`, 'gi');
const ANY = new RegExp(COLOR, 'gi');

export function readStyle($: CheerioAPI, base: string): PageStyle {
  const addresses = (selector: string) =>
    $(selector)
      .toArray()
      .flatMap((element) => resolveStyleAddress($(element).attr('href'), base) ?? []);
  const icons = $(
    'link[rel~="icon" i], link[rel="apple-touch-icon" i], link[rel="apple-touch-icon-precomposed" i]',
  )
    .toArray()
    .flatMap((element) => {
      const url = resolveStyleAddress($(element).attr('href'), base);
      const isApple = /apple/i.test($(element).attr('rel') ?? '');
      return url === null
        ? []
        : [{ url, pixels: parseLargestSize($(element).attr('sizes')) || (isApple ? APPLE_PIXELS : 0) }];
    });
  return {
    themeColor: cleanColor($('meta[name="theme-color" i]').first().attr('content')),
    manifest: addresses('link[rel="manifest" i]')[0] ?? null,
    sheets: addresses('link[rel~="stylesheet" i]').slice(0, MAX_SHEETS),
    css: $('style')
      .toArray()
      .map((element) => $(element).text())
      .join('\n')
      .slice(0, MAX_CSS),
    icons: icons.slice(0, MAX_ICONS),
  };
}

/**
 * Returns all colors in a page's CSS, and separately the colors of variables whose names suggest the brand.
 */
export function findColors(css: string): { named: string[]; used: string[] } {
  return {
    named: [...css.matchAll(NAMED)].slice(0, MAX_COLORS).map(([, color]) => color!),
    used: [...css.matchAll(ANY)].slice(0, MAX_COLORS).map(([color]) => color),
  };
}

/** Parses a web app manifest. Returns empty values for an invalid manifest. */
export function readManifest(text: string, base: string): ManifestStyle {
  try {
    const { theme_color: color, icons } = JSON.parse(text) as Record<string, unknown>;
    return {
      color: cleanColor(color),
      icons: [icons ?? []]
        .flat()
        .slice(0, MAX_ICONS)
        .flatMap((icon) => {
          const { src, sizes } = (icon ?? {}) as Record<string, unknown>;
          const url = resolveStyleAddress(typeof src === 'string' ? src : undefined, base);
          return url === null ? [] : [{ url, pixels: parseLargestSize(sizes) }];
        }),
    };
  } catch {
    return { color: '', icons: [] };
  }
}

const cleanColor = (value: unknown) =>
  typeof value === 'string' ? cutText(cleanLine(value), MAX_COLOR_CHARACTERS) : '';

function resolveStyleAddress(href: string | undefined, base: string): string | null {
  if (!href?.trim()) return null;
  const url = parseLink(href, base);
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null;
}

/**
 * Returns the largest width in an icon's `sizes` attribute such as `192x192 512x512`; 0 if the attribute has
 * no width.
 */
function parseLargestSize(sizes: unknown): number {
  if (typeof sizes !== 'string' || sizes.length > MAX_SIZES) return 0;
  return Math.max(0, ...[...sizes.matchAll(/(\d{1,5})x\d{1,5}/gi)].map(([, width]) => Number(width)));
}
