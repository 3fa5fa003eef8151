import { posix } from 'node:path';
import { resolvePart } from '../part-path.ts';
import { readXmlElements } from '../xml-tree.ts';
import { readMathMl } from './mathml.ts';
import { readDublinCore } from './office-package.ts';
import { documentFormats } from '../document-types.ts';
import type { ReadResult } from '../extracted-document.ts';
import { findFirstHeading } from '../markdown-sections.ts';
import { OdtReader } from './odt-reader.ts';
import { readXml } from '../read-xml.ts';
import { isTooLarge, UnreadableDocument } from '../unreadable-document.ts';
import { ZipArchive } from '../zip-archive.ts';

const { name } = documentFormats.odt;

const MAX_EQUATION_LENGTH = 10_000;

/**
 * Reads headings, lists, tables and notes of an OpenDocument text. Omits hidden text, tracked deletions, comments and
 * tables of contents.
 */
export function readOdt(bytes: Uint8Array): ReadResult {
  const archive = new ZipArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name);
  if (archive.readIfAny('META-INF/manifest.xml')?.includes('encryption-data')) {
    throw new UnreadableDocument('encrypted', `The ${name} is protected by a password.`);
  }
  const equations = new Map<string, string>();
  const reader = new OdtReader((path) => {
    const text = equations.get(path) ?? readEquation(archive, path).slice(0, MAX_EQUATION_LENGTH);
    equations.set(path, text);
    return text;
  });
  const styles = archive.readIfAny('styles.xml');
  if (styles) readXml(styles, reader.styles, { isLenient: true });
  readXml(archive.read('content.xml'), reader);
  const sections = reader.readSections();
  const { title, language } = readDublinCore(archive.readIfAny('meta.xml'));
  return { title: title ?? findFirstHeading(sections), language, sections };
}

/** Returns the text of an embedded equation; empty for other objects, and for damaged ones. */
function readEquation(archive: ZipArchive, path: string): string {
  let text = '';
  try {
    const folder = resolvePart('content.xml', path);
    const bytes = folder && archive.readIfAny(posix.join(folder, 'content.xml'));
    if (!bytes) return '';
    readXmlElements(
      bytes,
      (name) => name === 'math',
      (element) => {
        text += readMathMl(element);
      },
      { isLenient: true },
    );
  } catch (error) {
    if (isTooLarge(error)) throw error;
  }
  return text;
}
