import { posix } from 'node:path';
import { cleanLine } from '../clean-text.ts';
import { documentFormats, type DocumentType } from '../document-types.ts';
import { isEncryptedPackage } from '../detect-type.ts';
import { parsePrimaryLanguage } from '../extracted-document.ts';
import { resolvePart } from '../part-path.ts';
import { findAttribute, readXml, type XmlAttributes } from '../read-xml.ts';
import { isTooLarge, UnreadableDocument } from '../unreadable-document.ts';
import { ZipArchive } from '../zip-archive.ts';

export interface Relationship {
  /**
   * Kind of relationship between two parts of an Office document: the last segment of its type URI, such as
   * `slide`.
   */
  kind: string;
  /** Path of the related part in the document's archive. */
  part: string;
}

export interface Relationships {
  /** Parts of the Office document to which this part refers, by relationship id. */
  parts: ReadonlyMap<string, Relationship>;
  /** URLs outside of the document to which this part refers, by relationship id. */
  addresses: ReadonlyMap<string, string>;
}

type OfficeType = Extract<DocumentType, 'docx' | 'xlsx' | 'pptx'>;

const oldExtensions: Record<OfficeType, string> = { docx: '.doc', xlsx: '.xls', pptx: '.ppt' };

/**
 * Opens the archive of an Office document. Refuses OLE containers: encrypted documents, and formats before
 * 2007.
 * @throws UnreadableDocument
 */
export function openOffice(bytes: Uint8Array, type: OfficeType): ZipArchive {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { name, label } = documentFormats[type];
  if (buffer[0] !== 0xd0) return new ZipArchive(buffer, name);
  throw isEncryptedPackage(buffer)
    ? new UnreadableDocument('encrypted', `The ${name} is protected by a password.`)
    : new UnreadableDocument(
        'unsupported',
        `The file is an old ${name} (${oldExtensions[type]}). Save it as ${label} or PDF.`,
      );
}

/** Reads to which other parts and URLs a part of an Office document refers. */
export function readRelationships(archive: ZipArchive, part: string): Relationships {
  const relationships = { parts: new Map<string, Relationship>(), addresses: new Map<string, string>() };
  const { dir, base } = posix.parse(part);
  const bytes = archive.readIfAny(posix.join(dir, '_rels', `${base}.rels`));
  const openElement = (
    name: string,
    { Id: id, Type: type, Target: target, TargetMode: mode }: XmlAttributes,
  ) => {
    if (name !== 'Relationship' || !id || !target) return;
    if (mode === 'External') relationships.addresses.set(id, target);
    else relationships.parts.set(id, { kind: posix.basename(type ?? ''), part: resolvePart(part, target) });
  };
  if (bytes) readXml(bytes, { open: openElement }, { isLenient: true });
  return relationships;
}

/**
 * Reads the related parts of a kind in an Office document. Omits damaged parts, so that the rest of the
 * document can be read.
 */
export function readRelatedParts(
  archive: ZipArchive,
  related: Relationships['parts'],
  kind: string,
  readPart: (bytes: Buffer, part: string) => string[],
): string[] {
  return [...related.values()]
    .filter((relationship) => relationship.kind === kind)
    .flatMap(({ part }) => {
      try {
        return readPart(archive.read(part), part);
      } catch (error) {
        if (isTooLarge(error)) throw error;
        return [];
      }
    });
}

/** Returns the path of an Office document's main part, such as `xl/workbook.xml`. */
export function findMainPart(archive: ZipArchive, defaultPath: string): string {
  const relationships = [...readRelationships(archive, '').parts.values()];
  const relationship = relationships.find(({ kind, part }) => kind === 'officeDocument' && archive.has(part));
  return relationship?.part ?? defaultPath;
}

/** Returns title and language from the properties of an Office document. */
export function readCoreProperties(archive: ZipArchive): { title: string | null; language: string | null } {
  const relationships = [...readRelationships(archive, '').parts.values()];
  const part = relationships.find(({ kind }) => kind === 'core-properties')?.part ?? 'docProps/core.xml';
  return readDublinCore(archive.readIfAny(part));
}

/**
 * Returns the first title and language in XML with Dublin Core elements (metadata), even if the XML is
 * damaged after them.
 */
export function readDublinCore(bytes: Uint8Array | null): { title: string | null; language: string | null } {
  const values = new Map<string, string>();
  let openElement: string | null = null;
  if (bytes) {
    readXml(
      bytes,
      {
        open: (name) => {
          openElement = (name === 'title' || name === 'language') && !values.has(name) ? name : null;
        },
        text: (text) => {
          if (openElement) values.set(openElement, (values.get(openElement) ?? '') + text);
        },
        close: () => {
          openElement = null;
        },
      },
      { isLenient: true },
    );
  }
  return {
    title: cleanLine(values.get('title') ?? '') || null,
    language: parsePrimaryLanguage(values.get('language')),
  };
}

/** Returns the relationship id of an Office document's element: the attribute `r:id`. */
export function readRelationshipId(attributes: Readonly<Record<string, string>>): string {
  return findAttribute(attributes, 'id') ?? '';
}
