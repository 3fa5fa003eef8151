import { posix } from 'node:path';
import { cleanLine } from '../../clean-text.ts';
import { resolvePart } from '../../part-path.ts';
import { childElements, readXmlElements, type XmlElement } from '../../xml-tree.ts';
import { readMathMl } from '../mathml.ts';
import { readDublinCore } from '../office-package.ts';
import { documentFormats } from '../../document-types.ts';
import type { ReadResult } from '../../extracted-document.ts';
import { findFirstHeading } from '../../markdown-sections.ts';
import { OdtReader, type EmbeddedObject } from './odt-reader.ts';
import { readXml } from '../../read-xml.ts';
import { isTooLarge, UnreadableDocument } from '../../unreadable-document.ts';
import { ZipArchive } from '../../zip-archive.ts';

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
  const objects = new Map<string, EmbeddedObject>();
  const reader = new OdtReader((path) => {
    // Resolve the path, since different spellings of a path can name the same embedded object.
    const folder = resolvePart('content.xml', path);
    const object = objects.get(folder) ?? readObject(archive, folder);
    objects.set(folder, { ...object, chart: null });
    return object;
  });
  const styles = archive.readIfAny('styles.xml');
  if (styles) readXml(styles, reader.styles, { isLenient: true });
  readXml(archive.read('content.xml'), reader);
  const sections = reader.readSections();
  const { title, language } = readDublinCore(archive.readIfAny('meta.xml'));
  return { title: title ?? findFirstHeading(sections), language, sections };
}

/**
 * Reads an equation or chart that is embedded in an OpenDocument text. Other objects, and damaged objects,
 * have no content.
 */
function readObject(archive: ZipArchive, folder: string): EmbeddedObject {
  let text = '';
  const rows: string[][] = [];
  let title = '';
  let isChart = false;
  try {
    const bytes = folder && archive.readIfAny(posix.join(folder, 'content.xml'));
    if (bytes)
      readXmlElements(
        bytes,
        (name, parent) => {
          isChart ||= name === 'plot-area';
          return (
            name === 'math' || (name === 'title' && parent === 'chart') || (isChart && name === 'table-row')
          );
        },
        (element) => {
          if (element.name === 'math') text += readMathMl(element);
          else if (element.name === 'title') title = cleanLine(readAllText(element));
          else rows.push([...childElements(element)].map(readAllText));
        },
        { isLenient: true },
      );
  } catch (error) {
    if (isTooLarge(error)) throw error;
  }
  return { text: text.slice(0, MAX_EQUATION_LENGTH), chart: isChart ? { title, rows } : null };
}

function readAllText({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : readAllText(child))).join('');
}
