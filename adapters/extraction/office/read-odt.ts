import { readDublinCore } from './office-package.ts';
import { documentFormats } from '../document-types.ts';
import type { ReadResult } from '../extracted-document.ts';
import { findFirstHeading } from '../markdown-sections.ts';
import { OdtReader } from './odt-reader.ts';
import { readXml } from '../read-xml.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { ZipArchive } from '../zip-archive.ts';

const { name } = documentFormats.odt;

/**
 * Reads headings, lists, tables and notes of an OpenDocument text. Omits tracked deletions, comments and
 * tables of contents.
 */
export function readOdt(bytes: Uint8Array): ReadResult {
  const archive = new ZipArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
  if (archive.readIfAny('META-INF/manifest.xml')?.includes('encryption-data')) {
    throw new UnreadableDocument('encrypted', `The ${name} is protected by a password.`);
  }
  const reader = new OdtReader();
  readXml(archive.read('content.xml'), reader);
  const sections = reader.readSections();
  const { title, language } = readDublinCore(archive.readIfAny('meta.xml'));
  return { title: title ?? findFirstHeading(sections), language, sections };
}
