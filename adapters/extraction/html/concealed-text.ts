import type { CheerioAPI } from 'cheerio';
import type { ChildNode, Element } from 'domhandler';
import { parseInlineStyle, parseLength, type InlineStyle } from './inline-style.ts';
import { isElement, setChildren } from './page-tree.ts';

/**
 * Appearance of the text within an HTML element. A color is null if a style sheet or picture may decide it.
 */
interface Appearance {
  color: string | null;
  background: string | null;
  isTooSmall: boolean;
}

const WHITE = '255,255,255';
const TRANSPARENT = 'transparent';
const UNKNOWN: Appearance = { color: null, background: null, isTooSmall: false };
/** Maximum size of letters in pixels that count as unreadable. */
const MAX_UNREADABLE_SIZE = 1;
/** Style properties that can make text readable in the color of its background, such as a shadow. */
const OTHER_PAINT = [
  'text-shadow',
  '-webkit-text-stroke',
  '-webkit-text-fill-color',
  '-webkit-background-clip',
  'background-clip',
];
const BACKGROUND_KEYWORDS = /\b(?:none|no-repeat|repeat|scroll|fixed|center|top|left|right|bottom)\b|\b0%?/g;
/** Matches keywords of CSS that refer to another color instead of naming one. */
const DEPENDENT = /^(?:inherit|initial|unset|revert|currentcolor)$/;

/**
 * Removes text from a page that visitors cannot see: text of almost no size, and text in the color of its
 * background. Follows inline styles and old attributes. Text whose appearance style sheets may change counts
 * as visible.
 * @param hasStyles whether style sheets or scripts may change how elements look
 */
export function removeConcealedText($: CheerioAPI, hasStyles: boolean): void {
  const visit = (element: Element, around: Appearance): void => {
    const appearance = findAppearance(element, around, hasStyles);
    const { color, background, isTooSmall } = appearance;
    const isConcealed = isTooSmall || color === TRANSPARENT || (color !== null && color === background);
    const isKept = (node: ChildNode) => node.type !== 'text' || node.data.trim() === '';
    if (isConcealed && !element.children.every(isKept)) setChildren(element, element.children.filter(isKept));
    for (const child of element.children) if (isElement(child)) visit(child, appearance);
  };
  visit($('body').get(0)!, hasStyles ? UNKNOWN : { ...UNKNOWN, background: WHITE });
}

function findAppearance(element: Element, around: Appearance, hasStyles: boolean): Appearance {
  const { attribs, tagName } = element;
  const isStyled = hasStyles && (attribs['class'] !== undefined || attribs['id'] !== undefined);
  const { color, background, isTooSmall } = isStyled ? UNKNOWN : around;
  const style = parseInlineStyle(element);
  const ownColor = style.get('color') ?? attribs[tagName === 'body' ? 'text' : 'color'];
  const ownBackground = readBackground(element, style);
  const size = style.get('font-size');
  return {
    color: readColor(style, ownColor, color),
    background: ownBackground === undefined ? background : parseBackground(ownBackground, background),
    isTooSmall: size === undefined ? isTooSmall : (parseLength(size) ?? Infinity) <= MAX_UNREADABLE_SIZE,
  };
}

function readColor(style: InlineStyle, own: string | undefined, inherited: string | null): string | null {
  if (OTHER_PAINT.some((name) => style.has(name))) return null;
  return own === undefined ? inherited : parseColor(own);
}

/**
 * Returns the background that an element's attributes set. Returns `url()` for a picture, and for an element
 * that is placed above others.
 */
function readBackground({ attribs }: Element, style: InlineStyle): string | undefined {
  const isPlaced = /absolute|fixed/.test(style.get('position') ?? '');
  const hasPicture = attribs['background'] !== undefined || style.has('background-image');
  const color = style.get('background') ?? style.get('background-color') ?? attribs['bgcolor'];
  return hasPicture || (isPlaced && color === undefined) ? 'url()' : color;
}

/** Returns the color of an element's background; null if a picture or a keyword decides it. */
function parseBackground(value: string, around: string | null): string | null {
  if (/url\(|gradient\(/.test(value)) return null;
  const color = value.replaceAll(BACKGROUND_KEYWORDS, '').trim();
  const parsed = color === '' ? TRANSPARENT : parseColor(color);
  return parsed === TRANSPARENT ? around : parsed;
}

/** Returns a CSS color in one spelling; null for other values, such as variables and `inherit`. */
function parseColor(value: string): string | null {
  const color = value.trim().toLowerCase();
  if (color === 'white') return WHITE;
  if (color === 'black') return '0,0,0';
  const hex = /^#?([\da-f]{3,8})$/.exec(color)?.[1] ?? '';
  if (hex.length === 3 || hex.length === 4) return parseHex([...hex].map((digit) => digit + digit).join(''));
  if (hex.length === 6 || hex.length === 8) return parseHex(hex);
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(color)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean);
  if (parts) return Number.parseFloat(parts[3] ?? '1') === 0 ? TRANSPARENT : parts.slice(0, 3).join(',');
  return /^[a-z]+$/.test(color) && !DEPENDENT.test(color) ? color : null;
}

function parseHex(hex: string): string {
  if (hex.slice(6) === '00') return TRANSPARENT;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(',');
}
