import { findAttribute } from '../../read-xml.ts';
import { childElements, findChild, type XmlElement } from '../../xml-tree.ts';
import { isOn } from '../office-values.ts';

/** Content of a picture, shape, chart or diagram in a Word document. */
export interface GraphicContent {
  /** Contents of text boxes in the drawing, as XML elements with paragraphs. */
  boxes: XmlElement[];
  /** Descriptions of the drawing's pictures, and its decorative texts (WordArt). */
  texts: string[];
  /** Relationship ids of the drawing's charts and of its diagrams' data. */
  charts: string[];
  diagrams: string[];
}

/** Elements by which one of several alternatives of a drawing can be read. */
const READABLE = new Set(['t', 'sym', 'chart', 'relIds', 'pic', 'textpath', 'instrText']);

/** Chooses between alternatives of the same content in a Word document, so that the content is read once. */
export class AlternateContent {
  readonly #isReadable = new WeakMap<XmlElement, boolean>();

  /**
   * Returns the first alternative of a drawing that can be read; the last alternative is a fallback for old
   * programs.
   */
  choose(element: XmlElement): XmlElement | undefined {
    for (const choice of childElements(element)) if (this.#check(choice)) return choice;
    return undefined;
  }

  #check(element: XmlElement): boolean {
    const cached = this.#isReadable.get(element);
    if (cached !== undefined) return cached;
    let isReadable = READABLE.has(element.name);
    for (const child of childElements(element)) isReadable ||= this.#check(child);
    this.#isReadable.set(element, isReadable);
    return isReadable;
  }
}

/** Collects the texts of a Word drawing in document order. A hidden drawing has no texts. */
export function readGraphic(element: XmlElement, alternates: AlternateContent): GraphicContent {
  const content: GraphicContent = { boxes: [], texts: [], charts: [], diagrams: [] };
  collect(element, '', alternates, content);
  return content;
}

function collect(
  element: XmlElement,
  description: string,
  alternates: AlternateContent,
  content: GraphicContent,
): void {
  const { name, attributes } = element;
  const properties = findChild(element, 'docPr');
  if (isHidden(attributes) || (properties && isHidden(properties.attributes))) return;
  const described = properties
    ? properties.attributes['descr']?.trim() || properties.attributes['title']?.trim() || ''
    : description;
  switch (name) {
    case 'txbxContent':
    case 'txBody':
      content.boxes.push(element);
      return;
    case 'textpath':
      content.texts.push(attributes['string'] ?? '');
      return;
    case 'pic':
      content.texts.push(described);
      return;
    case 'chart':
      content.charts.push(findAttribute(attributes, 'id') ?? '');
      return;
    case 'relIds':
      content.diagrams.push(findAttribute(attributes, 'dm') ?? '');
      return;
    case 'AlternateContent': {
      const choice = alternates.choose(element);
      if (choice) collect(choice, described, alternates, content);
      return;
    }
  }
  for (const child of childElements(element)) collect(child, described, alternates, content);
}

const isHidden = (attributes: XmlElement['attributes']) =>
  isOn(attributes['hidden']) || /(?:visibility:\s*hidden|display:\s*none)/i.test(attributes['style'] ?? '');
