import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Folders of the package `pdfjs-dist`, by the name that pdf.js uses for their content. */
const folders: Record<string, string> = {
  cMapUrl: 'cmaps',
  standardFontDataUrl: 'standard_fonts',
  wasmUrl: 'wasm',
};

/**
 * Reads the files that pdf.js needs for some PDFs: CMaps of Chinese, Japanese and Korean fonts, fonts that every
 * PDF may use without embedding them, and image decoders.
 */
export class PdfLibraryFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = folders[kind];
    if (!folder) throw new Error(`pdf.js has no files of the kind ${kind}.`);
    const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
    return new Uint8Array(await readFile(join(dirname(manifest), folder, basename(filename))));
  }
}
