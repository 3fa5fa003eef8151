/** A section of a document: the text under one heading. */
export interface Section {
  /** Headings above the section's text, outermost first. */
  headings: string[];
  text: string;
  /** Number of the page on which the section begins, from 1. Undefined for formats without pages. */
  page?: number;
}

export interface ExtractedDocument {
  title: string | null;
  mimeType: string;
  /** Language that the document declares, as an ISO 639-1 code; null if the document declares none. */
  language: string | null;
  sections: Section[];
  /** Message for the document's owner about parts of the document that could not be read. */
  notice?: string;
}

/** Result of reading a document of one format. `extractDocument` adds the media type. */
export type ReadResult = Omit<ExtractedDocument, 'mimeType'>;

/** Returns the language code of a language tag: `en-GB` and `EN_us` become `en`. Null for other text. */
export function parsePrimaryLanguage(tag: string | null | undefined): string | null {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(tag?.trim().toLowerCase() ?? '')?.[0] ?? null;
}
