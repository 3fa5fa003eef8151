import type { TextPosition } from '../../raised-text.ts';
import { findAttribute, type XmlAttributes } from '../../read-xml.ts';

/**
 * Maximum number of styles of a document that are followed from one style to the next. Styles may derive from
 * each other in a circle.
 */
const MAX_ANCESTORS = 30;
/** Families of styles to which the elements of an OpenDocument text refer. */
const families = new Map([
  ['p', 'paragraph'],
  ['h', 'paragraph'],
  ['span', 'text'],
  ['a', 'text'],
]);

/** Look of letters in an OpenDocument text. Properties that the styles do not set are undefined. */
export interface LetterStyle {
  isWhite?: boolean | undefined;
  isTiny?: boolean | undefined;
}

const WHITE = /^#(?:f[\da-f]){3}$/i;
/** Maximum size of letters in points that count as unreadable. */
const MAX_UNREADABLE_SIZE = 1;

/** Styles of an OpenDocument text that hide, raise or lower their text, or make the text unreadable. */
export class OdtTextStyles {
  /**
   * True if a style of the document has a background in a color other than white, or a picture behind the
   * text.
   */
  #hasBackdrop = false;
  readonly #isWhite = new Map<string, boolean>();
  readonly #isTiny = new Map<string, boolean>();
  readonly #parents = new Map<string, string>();
  readonly #isHidden = new Map<string, boolean>();
  readonly #positions = new Map<string, TextPosition | null>();
  #style = '';

  /** Reads an element in the list of the document's styles. */
  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style') {
      const family = findAttribute(attributes, 'family') ?? '';
      this.#style = `${family} ${findAttribute(attributes, 'name')}`;
      const parent = findAttribute(attributes, 'parent-style-name');
      if (parent !== undefined) this.#parents.set(this.#style, `${family} ${parent}`);
    } else if (name === 'text-properties') {
      const display = findAttribute(attributes, 'display');
      if (display !== undefined) this.#isHidden.set(this.#style, display === 'none');
      const position = findAttribute(attributes, 'text-position');
      if (position !== undefined) this.#positions.set(this.#style, parsePosition(position));
      const color = attributes['fo:color'];
      if (color !== undefined) this.#isWhite.set(this.#style, WHITE.test(color));
      const size = /^([\d.]+)pt$/.exec(attributes['fo:font-size'] ?? '')?.[1];
      if (size !== undefined) this.#isTiny.set(this.#style, Number(size) <= MAX_UNREADABLE_SIZE);
    }
    if (name.endsWith('-properties')) this.#hasBackdrop ||= hasBackdrop(attributes);
  }

  /** Returns the look of the letters in an element of the text, including inherited properties. */
  findLetterStyle(element: string, styleName: string | undefined, outer: LetterStyle): LetterStyle {
    return {
      isWhite: this.#find(this.#isWhite, element, styleName) ?? outer.isWhite,
      isTiny: this.#find(this.#isTiny, element, styleName) ?? outer.isTiny,
    };
  }

  /** Returns whether letters of the text are unreadable: tiny, or white on white. */
  isUnreadable({ isWhite, isTiny }: LetterStyle): boolean {
    return isTiny === true || (isWhite === true && !this.#hasBackdrop);
  }

  /**
   * Returns whether an element of the text is hidden by its style or by a style from which its style derives.
   */
  hides(element: string, styleName: string | undefined): boolean {
    return this.#find(this.#isHidden, element, styleName) ?? false;
  }

  /** Returns whether an element's style raises or lowers its text. */
  findPosition(element: string, styleName: string | undefined): TextPosition | null {
    return this.#find(this.#positions, element, styleName) ?? null;
  }

  #find<T>(values: ReadonlyMap<string, T>, element: string, styleName: string | undefined): T | undefined {
    const family = families.get(element);
    if (family === undefined || styleName === undefined) return undefined;
    let style: string | undefined = `${family} ${styleName}`;
    for (let count = 0; style !== undefined && count < MAX_ANCESTORS; count++) {
      const value = values.get(style);
      if (value !== undefined) return value;
      style = this.#parents.get(style);
    }
    return undefined;
  }
}

function hasBackdrop(attributes: XmlAttributes): boolean {
  const background = attributes['fo:background-color'] ?? 'transparent';
  const isFilled = /^(?:solid|gradient|bitmap|hatch)$/.test(attributes['draw:fill'] ?? '');
  const isColored =
    (background !== 'transparent' && !WHITE.test(background)) ||
    (isFilled && !WHITE.test(attributes['draw:fill-color'] ?? ''));
  return isColored || attributes['style:run-through'] === 'background';
}

/** Parses the position of raised or lowered text: `super 58%`, `sub` or `-33% 58%`. */
function parsePosition(value: string): TextPosition | null {
  if (value.startsWith('super')) return 'raised';
  if (value.startsWith('sub')) return 'lowered';
  const percent = Number.parseFloat(value) || 0;
  return percent > 0 ? 'raised' : percent < 0 ? 'lowered' : null;
}
