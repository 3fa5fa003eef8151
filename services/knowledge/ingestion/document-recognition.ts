import {
  explainFailure,
  type PageToRecognize,
  type RecognizedPage,
} from '../../../adapters/extraction/page-recognition.ts';
import { RecognitionFailure, type TextRecognizer } from '../../../adapters/recognition/text-recognizer.ts';
import type { RecognizedPages } from './recognized-pages.ts';

export interface RecognitionSource {
  recognizer: TextRecognizer;
  /**
   * Languages in which the bot answers, as language tags. When text is recognized, the language that the
   * document declares comes first.
   */
  languages: readonly string[];
  /** Pages whose text earlier attempts have recognized, and the document to which they belong. */
  known?: { pages: RecognizedPages; documentId: string };
}

/**
 * Maximum duration for the recognition of a page's text, in milliseconds. Photographs without text take
 * longest, up to 20 s.
 */
const PAGE_MS = 60_000;
/**
 * Maximum duration in milliseconds for the recognition of all pages of a document, well below the activity's
 * timeout.
 */
const DOCUMENT_MS = 600_000;
const TOO_LONG = `Parley recognizes text in a document for at most ${DOCUMENT_MS / 60_000} minutes`;

/**
 * Returns a function that recognizes the text of the scanned pages of one document, one page after another.
 * If recognition fails, the result explains why the text is missing.
 */
export function createDocumentRecognition({ recognizer, languages, known }: RecognitionSource) {
  const endsAt = performance.now() + DOCUMENT_MS;
  return async ({ picture, language }: PageToRecognize, signal: AbortSignal): Promise<RecognizedPage> => {
    const remainingMs = endsAt - performance.now();
    if (remainingMs <= 0) return { obstacle: TOO_LONG, isFinal: true };
    try {
      const pageLanguages = language === null ? languages : [language, ...languages];
      const timeoutMs = Math.min(PAGE_MS, Math.ceil(remainingMs));
      const recognize = () => recognizer.recognize(picture, { languages: pageLanguages, timeoutMs, signal });
      const lines = known
        ? await known.pages.read(known.documentId, picture, pageLanguages, recognize)
        : await recognize();
      return { lines };
    } catch (error) {
      if (!(error instanceof RecognitionFailure)) throw error;
      return { obstacle: explainFailure(error.message), isFinal: error.isFinal };
    }
  };
}
