import { findAttribute } from '../../read-xml.ts';
import { findChild, readChildValue, readXmlElements, type XmlElement } from '../../xml-tree.ts';
import { isOn, readSwitch } from '../office-values.ts';
import { hasShading } from './shading.ts';

/** Reference of a Word paragraph to a list. Undefined fields are inherited. */
export interface ListReference {
  listId?: string;
  level?: number;
}

export interface WordStyle {
  /** Heading level of the style from 1; 0 for other text; undefined if the style does not set this. */
  level?: number;
  /** True if the style hides its text. Undefined if the style does not set this. */
  isHidden?: boolean;
  /**
   * Color of the style's letters as six hexadecimal digits, and their size in half points. Undefined if the
   * style does not set this.
   */
  color?: string;
  size?: number;
  /** True if the style colors the background of its text. */
  isShaded?: boolean;
  list?: ListReference;
  /** Id of the style, by which the level of a list for its paragraphs is found. */
  id: string;
}

interface OwnStyle extends WordStyle {
  basedOn?: string | undefined;
}

/**
 * Maximum number of styles of a Word document that are followed from one style to the next. Styles may derive
 * from each other in a circle.
 */
const MAX_ANCESTORS = 30;
/** Outline level that Word gives to text that is not a heading. */
const bodyLevel = 9;

/** Styles of a Word document, with inherited properties. */
export class WordStyles {
  readonly #ownStyles = new Map<string, OwnStyle>();
  readonly #resolved = new Map<string, WordStyle>();
  readonly #defaults = new Map<string, string>();
  /** True if the document hides text by default, where neither the text nor its style sets this. */
  isHidden = false;

  constructor(bytes: Uint8Array | null) {
    if (!bytes) return;
    readXmlElements(
      bytes,
      (name) => name === 'style' || name === 'rPrDefault',
      (element) => {
        if (element.name === 'style') this.#addStyle(element);
        else this.isHidden = readSwitch(findChild(findChild(element, 'rPr'), 'vanish')) ?? false;
      },
      { isLenient: true },
    );
  }

  /**
   * Returns a style of the document with its inherited properties.
   * @param id id of the style; undefined for the type's default style
   */
  get(type: 'paragraph' | 'character' | 'table', id: string | undefined): WordStyle {
    const styleId = id ?? this.#defaults.get(type) ?? '';
    const cached = this.#resolved.get(styleId);
    if (cached) return cached;
    const style: WordStyle = { id: styleId, ...readNameLevel(styleId) };
    let next: string | undefined = styleId;
    let isOwn = true;
    for (let count = 0; next !== undefined && count < MAX_ANCESTORS; count++) {
      const own: OwnStyle | undefined = this.#ownStyles.get(next);
      if (!own) break;
      if (isOwn) delete style.level;
      isOwn = false;
      style.level ??= own.level;
      style.isHidden ??= own.isHidden;
      style.color ??= own.color;
      style.size ??= own.size;
      style.isShaded ||= own.isShaded;
      style.list = { ...own.list, ...style.list };
      next = own.basedOn;
    }
    this.#resolved.set(styleId, style);
    return style;
  }

  #addStyle(element: XmlElement): void {
    const id = findAttribute(element.attributes, 'styleId') ?? '';
    if (isOn(findAttribute(element.attributes, 'default')))
      this.#defaults.set(findAttribute(element.attributes, 'type') ?? '', id);
    const paragraph = findChild(element, 'pPr');
    const outlineLevel = readOutlineLevel(paragraph);
    const nameLevel = readNameLevel(readChildValue(element, 'name') ?? '').level;
    const level = outlineLevel ?? nameLevel;
    const run = findChild(element, 'rPr');
    const isHidden = readSwitch(findChild(run, 'vanish'));
    const color = readChildValue(run, 'color');
    const size = Number.parseInt(readChildValue(run, 'sz') ?? '', 10);
    this.#ownStyles.set(id, {
      id,
      basedOn: readChildValue(element, 'basedOn'),
      ...(level !== undefined && { level }),
      ...(isHidden !== undefined && { isHidden }),
      ...(color !== undefined && { color }),
      ...(size >= 0 && { size }),
      isShaded: hasShading(element),
      list: readListReference(paragraph),
    });
  }
}

/**
 * Returns the heading level from 1 of a paragraph in Word's outline; 0 for other text; undefined if no level
 * is set.
 */
export function readOutlineLevel(paragraph: XmlElement | undefined): number | undefined {
  const level = Number.parseInt(readChildValue(paragraph, 'outlineLvl') ?? '', 10);
  if (Number.isNaN(level)) return undefined;
  return level >= 0 && level < bodyLevel ? level + 1 : 0;
}

export function readListReference(paragraph: XmlElement | undefined): ListReference {
  const properties = findChild(paragraph, 'numPr');
  const listId = readChildValue(properties, 'numId');
  const level = Number.parseInt(readChildValue(properties, 'ilvl') ?? '', 10);
  return { ...(listId !== undefined && { listId }), ...(level >= 0 && { level }) };
}

/**
 * Returns the level of a built-in heading style by its name. Word stores the English names of these styles in
 * any language.
 */
function readNameLevel(name: string): { level?: number } {
  if (/^title$/i.test(name)) return { level: 1 };
  const heading = /^heading ?([1-9])?$/i.exec(name);
  return heading ? { level: Number(heading[1] ?? 1) } : {};
}
