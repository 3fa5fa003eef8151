/** A section of text under one heading. */
export interface Section {
  /** The headings above the text, outermost first. */
  headings: string[];
  text: string;
  /** First page, from 1, if the format has pages. */
  page?: number;
}

export interface ExtractedDocument {
  title: string | null;
  mimeType: string;
  /** ISO 639-1 code that the document declares; null if it declares none. */
  language: string | null;
  sections: Section[];
  /** Parts that could not be read, for the owner. */
  notice?: string;
}

/** Result of a format's reader; `extractDocument` adds the type. */
export type ReadResult = Omit<ExtractedDocument, 'mimeType'>;

/** Normalizes a language tag: `en-GB`, `EN_us` → `en`; null for other text. */
export function parsePrimaryLanguage(tag: string | null | undefined): string | null {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(tag?.trim().toLowerCase() ?? '')?.[0] ?? null;
}
