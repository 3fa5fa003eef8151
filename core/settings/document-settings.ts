import { Type } from '@sinclair/typebox';
import { setting, type SettingDefinition } from './setting-definition.ts';

export const documentSettings = {
  ocr: setting(
    'Documents',
    'PARLEY_OCR',
    Type.Union([Type.Literal('off'), Type.Literal('tesseract')], {
      default: 'off',
      description:
        'Recognize the text of scanned pages in PDFs with the program `tesseract`, which must be installed where the worker runs (docs/knowledge.md#scans).',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
