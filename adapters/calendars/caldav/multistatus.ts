import { SaxesParser } from 'saxes';

/**
 * An XML element in a property of a WebDAV response. `name` has no namespace prefix, since servers choose
 * their own.
 */
export interface DavElement {
  name: string;
  /**
   * Value of the XML attribute `name`, the only attribute that is read; null if the element does not have it.
   */
  nameAttribute: string | null;
  text: string;
  children: DavElement[];
}

/** A `response` element of a multistatus, the XML in which a WebDAV server reports on several resources. */
export interface DavResponse {
  href: string;
  /** HTTP status in this `response` element, or of the whole response if the element has none. */
  status: number;
  /** Properties of the resource with a successful status, by element name without prefix. */
  props: Map<string, DavElement>;
}

/** Thrown if a server's XML cannot be parsed, or is not a multistatus. */
export class UnreadableMultistatus extends Error {
  override name = 'UnreadableMultistatus';
}

/**
 * Thrown if a server's XML declares entities, or has more attributes, elements or levels than CalDAV
 * responses have.
 */
export class UnsafeMultistatus extends Error {
  override name = 'UnsafeMultistatus';
}

/**
 * Maximum number of XML elements in a multistatus (response of a calendar server); a calendar has about ten
 * per event.
 */
const MAX_ELEMENTS = 100_000;
/**
 * Maximum number of XML elements in one `response` of a multistatus; a list of privileges has about thirty.
 */
const MAX_RESPONSE_ELEMENTS = 1000;
/**
 * Maximum number of references such as `&#13;` in one `response` of a multistatus; an event may have some in
 * each line. The parser holds memory for each reference.
 */
const MAX_RESPONSE_REFERENCES = 300_000;
/**
 * Maximum number of attributes of one XML element; calendar servers declare about ten namespaces at the root.
 */
const MAX_ATTRIBUTES = 64;
/**
 * Maximum nesting of XML elements in a calendar server's response; the deepest elements that are requested,
 * privileges, are on level seven.
 */
const MAX_DEPTH = 16;
/**
 * Maximum number of characters of a URL in a calendar server's response: parsing its host takes quadratic
 * time.
 */
const MAX_HREF_LENGTH = 2000;
const STATUS = /^\S{1,20}[ \t]{1,10}(\d{3})(?:\s|$)/;

/**
 * Parses a multistatus, the XML response of a WebDAV server (RFC 4918, 13), chunk by chunk, in linear time.
 */
export class MultistatusParser {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #httpStatus: number;
  readonly #path: DavElement[] = [];
  #complete: DavResponse[] = [];
  #elements = 0;
  #elementsOfResponse = 0;
  #attributes = 0;
  #references = 0;
  /** True if the last chunk of the XML ended with a carriage return, which the next chunk may complete. */
  #endsWithReturn = false;

  constructor(httpStatus: number) {
    this.#httpStatus = httpStatus;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new UnsafeMultistatus('The XML declares a DOCTYPE.');
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES)
        throw new UnsafeMultistatus('An element of the XML has too many attributes.');
    });
    parser.on('opentag', ({ name, attributes }) =>
      this.#openElement(stripPrefix(name), attributes['name'] ?? null),
    );
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', () => this.#closeElement());
  }

  /**
   * Parses a chunk of the XML, and returns the `response` elements that the chunk completes.
   * @throws UnreadableMultistatus
   * @throws UnsafeMultistatus
   */
  write(text: string): DavResponse[] {
    return this.#collectResponses(() => {
      const lines = this.#normalizeLines(text);
      this.#references += lines.split('&').length - 1;
      this.#parser.write(lines);
      if (this.#references > MAX_RESPONSE_REFERENCES)
        throw new UnsafeMultistatus('The XML has too many character and entity references.');
    });
  }

  /**
   * Ends the XML, and returns the remaining `response` elements.
   * @throws UnreadableMultistatus if the XML is incomplete
   */
  end(): DavResponse[] {
    return this.#collectResponses(() => this.#parser.close());
  }

  /**
   * Normalizes line breaks as XML requires (2.11). The parser would hold memory for each carriage return;
   * with millions of short lines, more than the thread's heap.
   */
  #normalizeLines(text: string): string {
    const isCompleted = this.#endsWithReturn && text.startsWith('\n');
    if (text !== '') this.#endsWithReturn = text.endsWith('\r');
    return (isCompleted ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
  }

  #collectResponses(step: () => unknown): DavResponse[] {
    this.#complete = [];
    try {
      step();
    } catch (error) {
      if (error instanceof UnsafeMultistatus || error instanceof UnreadableMultistatus) throw error;
      throw new UnreadableMultistatus('The XML is not well-formed.', { cause: error });
    }
    return this.#complete;
  }

  #openElement(name: string, nameAttribute: string | null): void {
    this.#attributes = 0;
    this.#elements += 1;
    this.#elementsOfResponse = this.#path.length === 1 ? 1 : this.#elementsOfResponse + 1;
    if (this.#path.length === MAX_DEPTH)
      throw new UnsafeMultistatus('The elements of the XML are nested too deeply.');
    if (this.#elements > MAX_ELEMENTS || this.#elementsOfResponse > MAX_RESPONSE_ELEMENTS)
      throw new UnsafeMultistatus('The XML has too many elements.');
    if (this.#path.length === 0 && name !== 'multistatus')
      throw new UnreadableMultistatus('The root element of the XML is not multistatus.');
    const element: DavElement = { name, nameAttribute, text: '', children: [] };
    // Add no elements to the root of the XML, so that responses that were already returned do not stay in
    // memory.
    if (this.#path.length > 1) this.#path.at(-1)!.children.push(element);
    this.#path.push(element);
  }

  #addText(text: string): void {
    const element = this.#path.at(-1);
    if (element) element.text += text;
  }

  #closeElement(): void {
    const element = this.#path.pop()!;
    element.text = element.text.trim();
    if (element.name === 'href' && element.text.length > MAX_HREF_LENGTH)
      throw new UnsafeMultistatus('A URL in the XML is too long.');
    if (this.#path.length !== 1) return;
    this.#references = 0;
    if (element.name === 'response') this.#complete.push(toResponse(element, this.#httpStatus));
  }
}

export function findChild(element: DavElement | undefined, name: string): DavElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function findChildren(element: DavElement | undefined, name: string): DavElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

function toResponse(element: DavElement, httpStatus: number): DavResponse {
  const href = findChild(element, 'href')?.text ?? '';
  const props = new Map<string, DavElement>();
  for (const propstat of findChildren(element, 'propstat')) {
    const status = parseStatus(propstat) ?? 200;
    if (status < 200 || status > 299) continue;
    for (const prop of findChild(propstat, 'prop')?.children ?? []) props.set(prop.name, prop);
  }
  return { href, status: parseStatus(element) ?? httpStatus, props };
}

function parseStatus(element: DavElement): number | undefined {
  const [, status] = STATUS.exec(findChild(element, 'status')?.text ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
}

function stripPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
