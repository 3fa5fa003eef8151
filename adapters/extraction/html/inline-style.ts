import type { Element } from 'domhandler';

/** Maximum number of characters that are read of an element's inline style. */
const MAX_LENGTH = 5000;
/** Minimum distance in pixels by which a style must move an element so that it counts as off the screen. */
const OFF_SCREEN_PX = 999;
const OFFSETS = ['left', 'right', 'top', 'bottom', 'text-indent', 'margin-left', 'margin-top'];
/**
 * Number of pixels for each CSS unit of length. Relative units count as the usual size of a letter, or of a
 * screen.
 */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  em: 16,
  rem: 16,
  '%': 10,
  vw: 10,
  vh: 10,
};

/** Properties of an element's inline style with their values, in lower case. */
export type InlineStyle = ReadonlyMap<string, string>;

/** Parses the inline style of an element. A later value of a property replaces earlier values. */
export function parseInlineStyle({ attribs }: Element): InlineStyle {
  const declarations = (attribs['style'] ?? '').slice(0, MAX_LENGTH).toLowerCase().split(';');
  return new Map(
    declarations.flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const value = declaration
        .slice(colon + 1)
        .replace('!important', '')
        .trim();
      return colon < 0 ? [] : [[declaration.slice(0, colon).trim(), value] as const];
    }),
  );
}

/** Returns the pixels of a CSS length; undefined if the value is no length, or if it is computed. */
export function parseLength(value: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(-?\d*\.?\d+)([a-z]*|%)$/.exec(value ?? '') ?? [];
  const pixels = PIXELS[unit];
  return number === undefined || pixels === undefined ? undefined : Number(number) * pixels;
}

/**
 * Returns whether an inline style moves an element off the screen. Text for screen readers does not count.
 */
export function isOffScreen(style: InlineStyle): boolean {
  const isForScreenReaders = parseLength(style.get('height')) === 1 || style.has('clip');
  const isPicture = (style.get('background') ?? style.get('background-image') ?? '').includes('url(');
  const isMoved = OFFSETS.some((name) => (parseLength(style.get(name)) ?? 0) <= -OFF_SCREEN_PX);
  return isMoved && !isForScreenReaders && !isPicture;
}

/** Returns whether an inline style makes the element invisible until a script animates it. */
export function isInvisible(style: InlineStyle): boolean {
  const isEmpty =
    style.get('overflow') === 'hidden' &&
    ['height', 'width', 'max-height', 'max-width'].some((name) => parseLength(style.get(name)) === 0);
  const isTransparent = Number.parseFloat(style.get('opacity') ?? '1') === 0;
  const isScaled = /\bscale\(\s*0\s*\)/.test(style.get('transform') ?? '');
  return (isEmpty || isTransparent || isScaled) && !style.has('animation') && !style.has('transition');
}
