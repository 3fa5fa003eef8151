import { findAttribute, type XmlAttributes } from '../read-xml.ts';

/** Maximum number of styles that derive from each other; a document may derive them in a circle. */
const MAX_ANCESTORS = 30;
/** Families of the styles that elements of the text refer to. */
const families = new Map([
  ['p', 'paragraph'],
  ['h', 'paragraph'],
  ['span', 'text'],
  ['a', 'text'],
]);

/** Styles of an OpenDocument text that hide their text. */
export class OdtHiddenStyles {
  readonly #parents = new Map<string, string>();
  readonly #isHidden = new Map<string, boolean>();
  #style = '';

  /** Handles an element among the styles. */
  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style') {
      const family = findAttribute(attributes, 'family') ?? '';
      this.#style = `${family} ${findAttribute(attributes, 'name')}`;
      const parent = findAttribute(attributes, 'parent-style-name');
      if (parent !== undefined) this.#parents.set(this.#style, `${family} ${parent}`);
    } else if (name === 'text-properties') {
      const display = findAttribute(attributes, 'display');
      if (display !== undefined) this.#isHidden.set(this.#style, display === 'none');
    }
  }

  /** Returns whether an element of the text is hidden by its style or by one from which that derives. */
  hides(element: string, styleName: string | undefined): boolean {
    const family = families.get(element);
    if (family === undefined || styleName === undefined) return false;
    let style: string | undefined = `${family} ${styleName}`;
    for (let count = 0; style !== undefined && count < MAX_ANCESTORS; count++) {
      const isHidden = this.#isHidden.get(style);
      if (isHidden !== undefined) return isHidden;
      style = this.#parents.get(style);
    }
    return false;
  }
}
