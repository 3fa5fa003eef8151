import { SaxesParser } from 'saxes';
import { UnreadableDocument } from './unreadable-document.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Names of elements come without their prefix, which every program chooses for itself. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** At once: a part of 100 MB is never a string of 100 MB. */
const sliceBytes = 256 * 1024;
const maxDepth = 1000;

/**
 * Reads XML without keeping any of it. Entities that a document declares for itself, of which a few lines can be gigabytes, are unknown to
 * it, and what is not well-formed ends with an error.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    if (depth > maxDepth) {
      throw new UnreadableDocument(
        'damaged',
        'The document is damaged: its elements are nested without end.',
      );
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
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    parser.write(decoder.decode(bytes.subarray(start, start + sliceBytes), { stream: true }));
  }
  parser.write(decoder.decode());
  parser.close();
}

/** The value of an attribute whatever its prefix is: `id` finds `r:id`, and an `id` without a prefix only where there is no other. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  const prefixed = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return attributes[prefixed ?? name];
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
