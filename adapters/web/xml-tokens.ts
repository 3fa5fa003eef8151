import { Tokenizer } from 'htmlparser2';
import { WebSourceError } from './web-source-error.ts';

/** Handler of XML tokens. Names are in lower case, with their prefixes; entities are not decoded. */
export interface XmlTokenHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(name: string): void;
  text(text: string, isCdata: boolean): void;
  comment(): void;
  /** Receives the target of an XML processing instruction, such as `xml`. */
  instruction(target: string): void;
  /** Receives an XML declaration up to its first `>`, such as `DOCTYPE html`. */
  declaration(text: string): void;
}

/** Maximum number of attributes of an XML element. The root may declare ten namespaces. */
const MAX_ATTRIBUTES = 64;
const MAX_VALUE_CHARS = 4096;
/**
 * Maximum number of characters of an XML token: a feed may contain the whole text of an article as one CDATA
 * section.
 */
const MAX_TOKEN_CHARS = 8 * 1024 * 1024;

/**
 * Splits XML into tokens as it arrives, well-formed or not. Does not compare closing tags with opening tags.
 */
export class XmlTokens {
  readonly #tokenizer: Tokenizer;
  /** XML input that follows the last complete token. */
  #text = '';
  /** Position of `#text` in the whole XML input, in characters. */
  #offset = 0;
  /** Position in the XML input after the last complete token, in characters. */
  #used = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attribute = '';

  constructor(handler: XmlTokenHandler) {
    const openElement = () => handler.open(this.#name, this.#attributes);
    this.#tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: false },
      {
        onopentagname: (start, end) => {
          this.#name = this.#slice(start, end).toLowerCase();
          this.#attributes = new Map();
        },
        onattribname: (start, end) => this.#beginAttribute(this.#slice(start, end).toLowerCase()),
        onattribdata: (start, end) => this.#addValue(this.#slice(start, end)),
        onattribentity: () => {},
        onattribend: () => {},
        onopentagend: openElement,
        onselfclosingtag: () => {
          openElement();
          handler.close(this.#name);
        },
        onclosetag: (start, end) => handler.close(this.#slice(start, end).toLowerCase()),
        ontext: (start, end) => handler.text(this.#slice(start, end), false),
        ontextentity: () => {},
        oncdata: (start, end, endOffset) => handler.text(this.#slice(start, end - endOffset), true),
        oncomment: (_start, end) => {
          this.#used = end;
          handler.comment();
        },
        onprocessinginstruction: (start, end) =>
          handler.instruction(/^\??([^\s?]*)/.exec(this.#slice(start, end))![1]!.toLowerCase()),
        ondeclaration: (start, end) => handler.declaration(this.#slice(start, end)),
        onend: () => {},
      },
    );
  }

  /** Number of characters of the input up to the end of the last complete token. */
  get position(): number {
    return this.#used;
  }

  /** @throws WebSourceError if a token is too long; also the errors of the handler */
  write(text: string): void {
    this.#text = this.#text.slice(this.#used - this.#offset) + text;
    this.#offset = this.#used;
    if (this.#text.length > MAX_TOKEN_CHARS + text.length)
      throw new WebSourceError('The sitemap has a comment or text that does not end.', false);
    this.#tokenizer.write(text);
  }

  end(): void {
    this.#tokenizer.end();
  }

  #slice(start: number, end: number): string {
    this.#used = end;
    return this.#text.slice(start - this.#offset, end - this.#offset);
  }

  #beginAttribute(name: string): void {
    if (this.#attributes.size === MAX_ATTRIBUTES)
      throw new WebSourceError('An element of the sitemap has too many attributes.', false);
    this.#attribute = name;
    this.#attributes.set(name, '');
  }

  #addValue(text: string): void {
    const value = this.#attributes.get(this.#attribute) ?? '';
    if (value.length < MAX_VALUE_CHARS) this.#attributes.set(this.#attribute, value + text);
  }
}
