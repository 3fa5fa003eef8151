import type { Settings } from '../../core/settings/settings.ts';
import { Tesseract } from './tesseract.ts';
import type { TextRecognizer } from './text-recognizer.ts';

/** Creates the text recognizer that the setting `PARLEY_OCR` selects; undefined if it selects none. */
export function createTextRecognizer({ ocr }: Pick<Settings, 'ocr'>): TextRecognizer | undefined {
  return ocr === 'tesseract' ? new Tesseract() : undefined;
}
