/** A stretch of text under one heading. */
export interface Section {
  /** The headings above the text, outermost first. */
  headings: string[];
  text: string;
  /** Page it begins on, from 1, where the format has pages. */
  page?: number;
}

export interface ExtractedDocument {
  title: string | null;
  mimeType: string;
  /** ISO 639-1 code that the document declares of itself; null where it declares none. */
  language: string | null;
  sections: Section[];
  /** What could not be read of it, for its owner. */
  notice?: string;
}

/** What a reader of one format finds; `extractDocument` adds the type. */
export type ReadResult = Omit<ExtractedDocument, 'mimeType'>;

/** `en-GB`, `EN_us` → `en`; null for what is not a language tag. */
export function primaryLanguage(tag: string | null | undefined): string | null {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(tag?.trim().toLowerCase() ?? '')?.[0] ?? null;
}
