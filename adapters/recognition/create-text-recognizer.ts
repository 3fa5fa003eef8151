import type { Settings } from '../../core/settings/settings.ts';
import { Tesseract } from './tesseract.ts';
import type { TextRecognizer } from './text-recognizer.ts';

/** Creates the recognizer of `PARLEY_OCR`; undefined if text in pictures is not recognized. */
export function createTextRecognizer({ ocr }: Pick<Settings, 'ocr'>): TextRecognizer | undefined {
  return ocr === 'tesseract' ? new Tesseract() : undefined;
}
