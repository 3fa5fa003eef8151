import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { PdfLibraryFiles } from './pdf-library-files.ts';

/**
 * Opens a PDF with the complete pdf.js, which also lays out XFA forms and draws pages. The complete library
 * takes 40 MB more than the reduced library that reads text, so it is loaded on first use.
 * @param maxPixels maximum number of pixels of an image; larger images are not drawn
 */
export async function openWithFullLibrary(
  bytes: Uint8Array,
  { maxPixels }: { maxPixels: number },
): Promise<PDFDocumentProxy> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  GlobalWorkerOptions.workerSrc = join(folder, 'legacy/build/pdf.worker.mjs');
  return getDocument({
    // Copy the bytes, since pdf.js detaches the buffer that it gets.
    data: new Uint8Array(bytes),
    verbosity: 0,
    enableXfa: true,
    isEvalSupported: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    BinaryDataFactory: PdfLibraryFiles,
    maxImageSize: maxPixels,
  }).promise;
}
