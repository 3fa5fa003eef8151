import { UnreadableDocument } from '../unreadable-document.ts';

/** Numbers of a PDF's pages whose text is missing. */
export interface MissingPages {
  total: number;
  damaged: number;
  /** Number of pages without text, such as scans. */
  empty: number;
  /** Number of pages that are pictures, whose only text is a watermark or similar. */
  marked: number;
  /** Number of pages with text in fonts that do not map glyphs to characters. */
  meaningless: number;
  hasEnd: boolean;
  /** Reason why text in the PDF's pictures was not recognized: a clause that begins with a capital letter. */
  obstacle: string;
}

const ADVICE = 'run text recognition (OCR) on the file and upload it again.';

/** Describes the parts of a PDF that cannot be read, for the PDF's owner; null if all parts can be read. */
export function describeMissingPages({
  total,
  damaged,
  empty,
  marked,
  meaningless,
  hasEnd,
  obstacle,
}: MissingPages) {
  const notices = [
    hasEnd ? null : 'The PDF is damaged: its end is missing. The readable part is indexed.',
    damaged > 0 ? `${damaged} of ${total} pages are damaged and cannot be read.` : null,
    empty > 0
      ? `${empty} of ${total} pages contain no text, perhaps because they are scans: ${obstacle}.`
      : null,
    marked > 0
      ? `${marked} of ${total} pages are pictures, such as scans, whose only text is a watermark: ${obstacle}.`
      : null,
    meaningless > 0
      ? `${meaningless} of ${total} pages contain text in fonts that do not define which characters they show.`
      : null,
  ].filter((notice) => notice !== null);
  return notices.length > 0 ? notices.join(' ') : null;
}

/** Returns the error for a PDF without any text to index. */
export function createNoTextError({ marked, meaningless, obstacle }: MissingPages): UnreadableDocument {
  if (marked > 0) {
    return new UnreadableDocument(
      'no_text',
      `The pages of the PDF are pictures, such as scans, whose only text is a watermark. ${obstacle}: ${ADVICE}`,
    );
  }
  if (meaningless > 0) {
    return new UnreadableDocument(
      'no_text',
      `The PDF contains text in fonts that do not define which characters they show. Save the PDF again from the original document, or ${ADVICE}`,
    );
  }
  return new UnreadableDocument(
    'no_text',
    `The PDF contains no text, only pictures of its pages, such as scans. ${obstacle}: ${ADVICE}`,
  );
}
