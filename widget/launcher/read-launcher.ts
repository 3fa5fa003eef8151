import { cutText } from '../../core/text/cut-text.ts';
import type { WidgetTheme } from '../../api/bots/bots.config.schemas.ts';

/** Keys of a bot's theme for which the widget loads the script for launchers. */
export type LauncherTheme = Pick<WidgetTheme, 'launcher' | 'panel' | 'greetings' | 'files'>;

/**
 * Values by which the launcher and the panel differ from the default. An undefined value means the default.
 */
export interface LauncherLook {
  label: string | undefined;
  isHidden: boolean;
  /** Distances of the launcher from the edges of the page, in CSS pixels. */
  offsetX: number | undefined;
  offsetY: number | undefined;
  /** Size of the panel in CSS pixels. */
  width: number | undefined;
  height: number | undefined;
}

/** Text that the widget shows beside the launcher, to invite visitors. */
export interface Greeting {
  text: string;
  /** Patterns of the pages on which the greeting is shown: all pages if the list is empty. */
  pages: string[];
  afterSeconds: number;
}

export const LAUNCHER_KEYS = ['label', 'hidden', 'offset_x', 'offset_y'];
export const PANEL_KEYS = ['width', 'height'];
export const GREETING_KEYS = ['text', 'pages', 'after_seconds'];
export const MAX_LABEL_CHARS = 40;
export const MAX_GREETING_CHARS = 300;
export const MAX_GREETINGS = 10;
export const DEFAULT_SECONDS = 5;

/** Minimum and maximum of the numbers in a theme's launcher, panel and greetings, by key. */
export const BOUNDS: Readonly<Record<string, [number, number]>> = {
  offset_x: [0, 400],
  offset_y: [0, 400],
  width: [280, 800],
  height: [320, 1200],
  after_seconds: [0, 3600],
};

/** Reads the settings of launcher and panel in a theme. Ignores invalid values. */
export function readLauncher({ launcher, panel }: LauncherTheme): LauncherLook {
  const [{ label, hidden, ...offsets }, size] = [toObject(launcher), toObject(panel)];
  return {
    label: readText(label, MAX_LABEL_CHARS),
    isHidden: hidden === true,
    offsetX: readNumber('offset_x', offsets),
    offsetY: readNumber('offset_y', offsets),
    width: readNumber('width', size),
    height: readNumber('height', size),
  };
}

/** Reads the greetings of a theme. Omits greetings without a text. */
export function readGreetings({ greetings }: LauncherTheme): Greeting[] {
  return (Array.isArray(greetings) ? greetings : []).slice(0, MAX_GREETINGS).flatMap((each: unknown) => {
    const greeting = toObject(each);
    const text = readText(greeting['text'], MAX_GREETING_CHARS);
    if (text === undefined) return [];
    const pages = Array.isArray(greeting['pages']) ? greeting['pages'].map(String) : [];
    return { text, pages, afterSeconds: readNumber('after_seconds', greeting) ?? DEFAULT_SECONDS };
  });
}

/**
 * Returns whether a page's address matches a greeting's pattern, in which `*` stands for any text. Patterns
 * that begin with `/` are compared with path and query, others with the whole address without its fragment.
 * Takes linear time.
 */
export function matchesPage(
  pattern: string,
  { origin, pathname, search }: Pick<URL, 'origin' | 'pathname' | 'search'>,
): boolean {
  const path = pathname + search;
  const address = pattern.startsWith('/') ? path : origin + path;
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop();
  if (end === undefined) return address === start;
  if (!address.startsWith(start)) return false;
  let at = start.length;
  for (const part of others) {
    const found = address.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return address.length - end.length >= at && address.endsWith(end);
}

/** Returns the value, or an empty object if the value is no object. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function readText(value: unknown, maxChars: number): string | undefined {
  const text = typeof value === 'string' ? cutText(value.trim(), maxChars) : '';
  return text === '' ? undefined : text;
}

function readNumber(key: string, values: Record<string, unknown>): number | undefined {
  const value = values[key];
  const [min, max] = BOUNDS[key]!;
  return typeof value === 'number' && value >= min && value <= max ? value : undefined;
}
