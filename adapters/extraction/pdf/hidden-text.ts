import { getResolvedPDFJS } from 'unpdf';
import { normalizeText } from '../../../core/text/normalize-text.ts';
import type { PdfDocument } from './open-pdf.ts';
import { PageDrawing, type DrawnText, type LayerConfig } from './page-drawing.ts';
import { streamOperators } from './pdf-operators.ts';
import { hasSignsOfHiddenText } from './signs-of-hidden-text.ts';
import { getX, getY, measureLetterSize, type PdfTextItem } from './pdf-text-item.ts';

/**
 * Maximum number of drawing operators of a PDF page, and of a document, that are searched for hidden text.
 * Text after them counts as visible.
 */
const MAX_PAGE_OPERATORS = 50_000;
const MAX_OPERATORS = 500_000;
/** Maximum size and width, in points, of letters that are too small to be read. */
const UNREADABLE_SIZE = 1;
/** Tolerance in letter heights, within which a drawn text counts as part of a line. */
const TOLERANCE = 0.3;

/** Finds the texts of a document that the pages draw but do not show. */
export class HiddenTextFilter {
  readonly #pdf: PdfDocument;
  readonly #layers: LayerConfig | null;
  readonly #mayHide: boolean;
  #operatorsLeft = MAX_OPERATORS;

  constructor(pdf: PdfDocument, { layers, mayHide }: { layers: LayerConfig | null; mayHide: boolean }) {
    this.#pdf = pdf;
    this.#layers = layers;
    this.#mayHide = mayHide;
  }

  static async create(pdf: PdfDocument, bytes: Uint8Array): Promise<HiddenTextFilter> {
    const layers = await pdf.getOptionalContentConfig().catch(() => null);
    const isAnyOff =
      layers !== null && [...layers].some(([, layer]) => !(layer as { visible: boolean }).visible);
    return new HiddenTextFilter(pdf, { layers, mayHide: isAnyOff || hasSignsOfHiddenText(bytes) });
  }

  /**
   * Returns the text items of a PDF page that readers see. Omits text on layers that are off, white text on
   * white, and transparent, invisible and tiny text. The recognized text of a scan stays.
   */
  async filter<T extends PdfTextItem>(drawn: readonly T[], pageIndex: number): Promise<readonly T[]> {
    const items = removeTiny(drawn);
    const max = Math.min(MAX_PAGE_OPERATORS, this.#operatorsLeft);
    if (!this.#mayHide || max <= 0 || !items.some(({ str }) => str.trim())) return items;
    const { OPS } = await getResolvedPDFJS();
    const drawing = new PageDrawing(OPS, this.#layers);
    for await (const { operator, args } of streamOperators(this.#pdf, pageIndex, {
      withAnnotations: false,
      max,
    })) {
      drawing.add(operator, args);
      this.#operatorsLeft -= 1;
    }
    return removeTexts(items, drawing.listHidden());
  }
}

/**
 * Removes letters of at most one point from a PDF page if the page has larger letters. A page with only such
 * letters is meant to be enlarged.
 */
function removeTiny<T extends PdfTextItem>(items: readonly T[]): readonly T[] {
  const isTiny = (item: PdfTextItem) =>
    item.str.trim() !== '' &&
    measureLetterSize(item) <= UNREADABLE_SIZE &&
    item.width <= UNREADABLE_SIZE * item.str.length;
  const readable = items.filter((item) => !isTiny(item));
  return readable.some(({ str }) => /[\p{L}\p{N}]/u.test(str)) ? readable : items;
}

/**
 * Removes hidden texts from the text items that contain them. pdf.js joins several drawn texts of a line to
 * one item.
 */
function removeTexts<T extends PdfTextItem>(items: readonly T[], hidden: readonly DrawnText[]): readonly T[] {
  if (hidden.length === 0) return items;
  const visibleItems = items.map((item) => {
    const texts = item.str.trim() === '' ? [] : hidden.filter((text) => isWithin(text, item));
    return texts.length === 0 ? item : { ...item, str: removeFrom(item.str, texts) };
  });
  // Keep the text of a page without visible text, since the page shows pictures of its text.
  return visibleItems.some(({ str }) => /[\p{L}\p{N}]/u.test(str)) ? visibleItems : items;
}

/** Returns whether a text is drawn on the line of a text item, between its ends. */
function isWithin({ transform: [, , , , x, y] }: DrawnText, item: PdfTextItem): boolean {
  const [a = 1, b = 0] = item.transform;
  const length = Math.hypot(a, b) || 1;
  const [right, up] = [x - getX(item), y - getY(item)];
  const along = (right * a + up * b) / length;
  const across = (up * a - right * b) / length;
  const tolerance = measureLetterSize(item) * TOLERANCE;
  return Math.abs(across) <= tolerance && along >= -tolerance && along <= item.width + tolerance;
}

function removeFrom(line: string, texts: readonly DrawnText[]): string {
  const isWhole = squeeze(texts.map(({ text }) => text).join('')).length >= squeeze(line).length;
  if (isWhole) return '';
  return texts.reduce(
    (rest, { text }) => rest.replace(normalizeText(text, 'NFKC', text.length).trim(), ''),
    line,
  );
}

const squeeze = (text: string) => normalizeText(text, 'NFKC', text.length).replaceAll(/\s/g, '');
