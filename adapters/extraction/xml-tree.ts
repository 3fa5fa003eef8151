import { findAttribute, readXml, type XmlAttributes, type XmlOptions } from './read-xml.ts';

/** An XML element with its content. Names come without namespace prefix. */
export interface XmlElement {
  name: string;
  attributes: XmlAttributes;
  children: (XmlElement | string)[];
}

/** Builds the tree of one XML element from the events of a parser. */
export class XmlTreeBuilder {
  readonly #open: XmlElement[] = [];

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  open(name: string, attributes: XmlAttributes): void {
    const element: XmlElement = { name, attributes, children: [] };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    this.#open.at(-1)?.children.push(text);
  }

  /** Closes the innermost XML element. Returns the whole tree once its root is closed, else null. */
  close(): XmlElement | null {
    const element = this.#open.pop() ?? null;
    return this.#open.length === 0 ? element : null;
  }

  /** Closes all elements of the tree that the XML file does not close. */
  end(): XmlElement | null {
    const [root = null] = this.#open;
    this.#open.length = 0;
    return root;
  }
}

/**
 * Reads chosen XML elements one by one, so that a large part is never in memory as one tree.
 * @param isChosen function that returns whether to read an element, by its name and its parent's name; called
 *   outside of chosen elements
 * @throws UnreadableDocument
 */
export function readXmlElements(
  bytes: Uint8Array,
  isChosen: (name: string, parent: string) => boolean,
  onElement: (element: XmlElement) => void,
  options: XmlOptions = {},
): void {
  const tree = new XmlTreeBuilder();
  const path: string[] = [];
  readXml(
    bytes,
    {
      open: (name, attributes) => {
        if (tree.isOpen || isChosen(name, path.at(-1) ?? '')) tree.open(name, attributes);
        else path.push(name);
      },
      text: (text) => tree.text(text),
      close: () => {
        if (!tree.isOpen) return void path.pop();
        const element = tree.close();
        if (element) onElement(element);
      },
    },
    options,
  );
  const unclosed = tree.end();
  if (unclosed) onElement(unclosed);
}

export function* childElements(element: XmlElement | undefined): Generator<XmlElement> {
  for (const child of element?.children ?? []) if (typeof child !== 'string') yield child;
}

export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of childElements(element)) if (child.name === name) return child;
  return undefined;
}

/** Returns the attribute `val` of an XML element's child, as Office stores most properties. */
export function readChildValue(element: XmlElement | undefined, name: string): string | undefined {
  const child = findChild(element, name);
  return child && findAttribute(child.attributes, 'val');
}

/** Returns the text directly within an XML element. */
export const readOwnText = (element: XmlElement): string =>
  element.children.filter((child) => typeof child === 'string').join('');
