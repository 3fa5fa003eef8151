import { getDocumentProxy } from 'unpdf';
import { UnreadableDocument } from '../unreadable-document.ts';
import { PdfLibraryFiles } from './pdf-library-files.ts';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/**
 * Opens a PDF with pdf.js, which repairs damaged parts.
 * @param maxPixels maximum number of pixels of an image; larger images are not decoded. By default, no image
 *   is decoded, since reading text requires no images
 * @throws UnreadableDocument
 */
export async function openPdf(bytes: Uint8Array, { maxPixels = 0 } = {}): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      // 0 disables the warnings of pdf.js on the console.
      verbosity: 0,
      useSystemFonts: false,
      useWorkerFetch: false,
      BinaryDataFactory: PdfLibraryFiles,
      maxImageSize: maxPixels,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new UnreadableDocument('encrypted', 'The PDF is protected by a password.', { cause: error });
    }
    const reason = hasEnd(bytes) ? '' : ': its end is missing';
    throw new UnreadableDocument('damaged', `The PDF is damaged${reason}.`, { cause: error });
  }
}

/** Returns whether a PDF file has its end, which is missing after an interrupted transfer. */
export function hasEnd(bytes: Uint8Array): boolean {
  // Ignore zeros at the end of the file: some servers fill the last block with them.
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const tail = Buffer.from(bytes.subarray(Math.max(0, end - 2048), end)).toString('latin1');
  return /%%EOF|startxref/.test(tail);
}
