import { extname } from 'node:path';
import { documentFormats, typesByMimeType } from '../../adapters/extraction/document-types.ts';
import { toSafeFilename } from '../../adapters/storage/filename.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';

const EXCERPT_LENGTH = 80;

/** Returns the document's title. Before indexing, a document without a title is named after its file or URL. */
export function toDisplayTitle({ title, filename, sourceUrl }: Document): string {
  return title || filename || sourceUrl || 'Untitled';
}

/** Returns the beginning of a document's text, which becomes its title if it has none. */
export function takeFirstWords(text: string): string {
  const [line = ''] = text
    .trimStart()
    .slice(0, 4 * EXCERPT_LENGTH)
    .split(/[\r\n]/, 1);
  const plain = line.replace(/^#+\s+/, '').trim();
  if (plain.length <= EXCERPT_LENGTH) return plain;
  const cut = cutText(plain, EXCERPT_LENGTH);
  const end = cut.lastIndexOf(' ');
  return `${end > EXCERPT_LENGTH / 2 ? cut.slice(0, end) : cut}…`;
}

/** Returns the file name under which the document's original is downloaded. */
export function buildOriginalName(document: Document): string {
  const { filename, mimeType } = document;
  if (filename !== null) return filename;
  const name = toSafeFilename(toDisplayTitle(document));
  const type = typesByMimeType.get(mimeType?.split(';')[0]?.trim() ?? '');
  const extension = (type && documentFormats[type].extensions[0]) ?? '';
  return extname(name).toLowerCase() === extension ? name : `${name}${extension}`;
}
