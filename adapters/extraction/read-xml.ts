import { SaxesParser } from 'saxes';
import { UnreadableDocument } from './unreadable-document.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/**
 * Handler of events while XML is parsed. Element names come without namespace prefix, since programs choose
 * different prefixes.
 */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export interface XmlOptions {
  /** True to continue after XML errors, for example after an unknown entity or a forbidden character. */
  isLenient?: boolean;
}

/** Maximum number of XML errors to ignore. Each error costs far more time than the characters around it. */
const maxErrors = 1000;
/** Number of bytes of XML to decode at once, so that a part of 100 MB never becomes a string of 100 MB. */
const sliceBytes = 256 * 1024;
const maxDepth = 1000;

/**
 * Parses XML as a stream. Ignores entities that the document declares: a few lines of entities can expand to
 * gigabytes.
 * @throws UnreadableDocument if the XML is not well-formed, unless errors are ignored
 */
export function readXml(
  bytes: Uint8Array,
  handler: XmlHandler,
  { isLenient = false }: XmlOptions = {},
): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let errors = 0;
  if (isLenient) {
    parser.on('error', (error) => {
      errors++;
      if (errors > maxErrors) throw error;
    });
  }
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    if (depth > maxDepth) {
      throw new UnreadableDocument('damaged', 'The document is damaged: its elements are nested too deeply.');
    }
    handler.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close?.(localName(name));
  });
  if (handler.text) {
    const text = handler.text.bind(handler);
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const decoder = new TextDecoder(detectXmlEncoding(bytes));
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    parser.write(decoder.decode(bytes.subarray(start, start + sliceBytes), { stream: true }));
  }
  parser.write(decoder.decode());
  parser.close();
}

/**
 * Returns the value of an XML attribute with any namespace prefix: `id` finds `r:id`. An attribute without
 * prefix is returned only if no other attribute matches.
 */
export function findAttribute(attributes: XmlAttributes, name: string): string | undefined {
  const prefixed = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return attributes[prefixed ?? name];
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function detectXmlEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
