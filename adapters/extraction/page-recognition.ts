import type { PagePicture, RecognizedLine } from '../recognition/text-recognizer.ts';

/** A scanned page whose text to recognize, with the language that its document declares. */
export interface PageToRecognize {
  picture: PagePicture;
  language: string | null;
}

/**
 * Recognized text of a scanned page, or a clause for the document's owner that says why the text was not
 * recognized.
 */
export type RecognizedPage = { lines: RecognizedLine[] } | { obstacle: string; isFinal: boolean };

/**
 * Treatment of pages that are only pictures. `off`: their text is missing. `defer`: the document fails with
 * `has_scans`. An obstacle explains why their text is missing. A function recognizes each page.
 */
export type PageRecognition =
  | 'off'
  | 'defer'
  | { obstacle: string }
  | ((page: PageToRecognize) => Promise<RecognizedPage>);

export const NOT_RECOGNIZED = 'Parley does not recognize text in pictures (PARLEY_OCR is off)';
export const NOTHING_RECOGNIZED = 'Parley found no text in the pictures';

/** Returns the clause for the document's owner that explains why text recognition failed. */
export const explainFailure = (reason: string) =>
  `Parley could not recognize text in pictures, because ${reason}`;
