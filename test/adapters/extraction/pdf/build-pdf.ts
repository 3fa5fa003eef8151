interface PdfPage {
  /** Operators of the page's content stream. */
  content?: string | Buffer;
  /** Entries of the page's resource dictionary other than the font `/F1`, Helvetica. */
  resources?: string;
  /** Annotations of the page, each a dictionary or a reference. */
  annotations?: string[];
  /** Further entries of the page's PDF dictionary. */
  entries?: string;
}

/** Builds a PDF object by object. */
export class PdfBuilder {
  readonly #objects: Buffer[] = [];
  readonly #pages: string[] = [];
  readonly #tree = this.reserve();
  readonly #helvetica = this.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');

  /** Adds an object to the PDF, and returns a reference to it. */
  add(body: string | Buffer): string {
    this.#objects.push(Buffer.from(body));
    return `${this.#objects.length} 0 R`;
  }

  /** Adds a stream to the PDF, and returns a reference to it. */
  addStream(data: string | Buffer, entries = ''): string {
    const bytes = Buffer.from(data);
    const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`);
    return this.add(Buffer.concat([head, bytes, Buffer.from('\nendstream')]));
  }

  reserve(): string {
    return this.add('null');
  }

  set(reference: string, body: string): void {
    this.#objects[Number.parseInt(reference, 10) - 1] = Buffer.from(body);
  }

  addPage({ content = '', resources = '', annotations = [], entries = '' }: PdfPage): this {
    const fonts = resources.includes('/Font') ? resources : `/Font<</F1 ${this.#helvetica}>>${resources}`;
    const page =
      `<</Type/Page/Parent ${this.#tree}/MediaBox[0 0 595 842]/Contents ${this.addStream(content)}` +
      `/Resources<<${fonts}>>/Annots[${annotations.join(' ')}]${entries}>>`;
    this.#pages.push(this.add(page));
    return this;
  }

  /** @param catalog additional entries of the PDF's catalog, such as the form */
  build({ catalog = '', trailer = '' }: { catalog?: string; trailer?: string } = {}): Buffer {
    this.set(this.#tree, `<</Type/Pages/Count ${this.#pages.length}/Kids[${this.#pages.join(' ')}]>>`);
    const root = this.add(`<</Type/Catalog/Pages ${this.#tree}${catalog}>>`);
    const parts = [Buffer.from('%PDF-1.7\n')];
    const offsets: number[] = [];
    let offset = parts[0]!.length;
    for (const [index, body] of this.#objects.entries()) {
      const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      offsets.push(offset);
      offset += part.length;
      parts.push(part);
    }
    const entries = offsets.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    const count = offsets.length + 1;
    parts.push(
      Buffer.from(
        `xref\n0 ${count}\n0000000000 65535 f \n${entries}` +
          `trailer<</Size ${count}/Root ${root}${trailer}>>\nstartxref\n${offset}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

/** Returns PDF operators that show lines of text from the top of the page downwards. */
export const showLines = (...lines: string[]) =>
  lines.map((line, row) => `BT /F1 12 Tf 72 ${740 - row * 40} Td (${line}) Tj ET`).join('\n');
