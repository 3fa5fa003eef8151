import type { PdfDocument, PdfPage } from '../open-pdf.ts';
import { toAnnotationItems, type PdfAnnotation } from './pdf-annotations.ts';
import { readAppearances } from './pdf-appearances.ts';
import type { PdfTextItem } from '../pdf-text-item.ts';

/**
 * Numbers that pdf.js gives to the types of annotations that Parley reads: free text, stamp and form field.
 */
const TYPES = new Set([3, 13, 20]);
/** Number of pages of a PDF whose annotations are in memory at once. */
const BATCH_PAGES = 100;

/** Reads the texts of a PDF's annotations page by page. */
export class AnnotationReader {
  readonly #pdf: PdfDocument;
  #batch = -1;
  /**
   * Annotations of the PDF by the index of their page; null if pdf.js cannot read the annotations of all
   * pages together.
   */
  #annotations: Map<number, PdfAnnotation[]> | null = null;

  constructor(pdf: PdfDocument) {
    this.#pdf = pdf;
  }

  async read(page: PdfPage): Promise<PdfTextItem[]> {
    try {
      const annotations = await this.#list(page);
      const drawings = annotations.some(isDrawing)
        ? await readAppearances(this.#pdf, page.pageNumber - 1)
        : new Map<string, string>();
      return toAnnotationItems(annotations, drawings);
    } catch {
      return []; // Ignore damaged annotations, which do not affect the page's text.
    }
  }

  async #list(page: PdfPage): Promise<PdfAnnotation[]> {
    const index = page.pageNumber - 1;
    const batch = Math.floor(index / BATCH_PAGES);
    if (batch !== this.#batch) {
      this.#batch = batch;
      this.#annotations = await this.#listBatch(batch * BATCH_PAGES).catch(() => null);
    }
    // Call `getAnnotations` only if necessary, since it also reads the text of the page again, to find the
    // words of each link.
    return this.#annotations?.get(index) ?? (this.#annotations ? [] : await page.getAnnotations());
  }

  async #listBatch(first: number): Promise<Map<number, PdfAnnotation[]>> {
    const skipped = new Set<number>();
    for (let index = 0; index < this.#pdf.numPages; index++) {
      if (index < first || index >= first + BATCH_PAGES) skipped.add(index);
    }
    const found = (await this.#pdf.getAnnotationsByType(TYPES, skipped)) as PdfAnnotation[] | null;
    const pages = new Map<number, PdfAnnotation[]>();
    for (const annotation of found ?? []) {
      const index = annotation.pageIndex ?? -1;
      const annotations = pages.get(index) ?? [];
      annotations.push(annotation);
      pages.set(index, annotations);
    }
    return pages;
  }
}

/** Returns whether only the drawing of an annotation shows its text. */
function isDrawing({ subtype, hasAppearance, fieldType, pushButton, contentsObj }: PdfAnnotation): boolean {
  if (!hasAppearance) return false;
  return subtype === 'Stamp' ? !contentsObj?.str : fieldType === 'Sig' || pushButton === true;
}
