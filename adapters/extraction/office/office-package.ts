import { posix } from 'node:path';
import { cleanLine } from '../clean-text.ts';
import { documentFormats, type DocumentType } from '../document-types.ts';
import { isEncryptedPackage } from '../detect-type.ts';
import { primaryLanguage } from '../extracted-document.ts';
import { partAt } from '../part-path.ts';
import { attribute, readXml } from '../read-xml.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { ZipArchive } from '../zip-archive.ts';

export interface Relationship {
  /** The last word of its type, e.g. `slide`. */
  kind: string;
  /** The part it leads to. */
  part: string;
}

type OfficeType = Extract<DocumentType, 'docx' | 'xlsx' | 'pptx'>;

const oldExtensions: Record<OfficeType, string> = { docx: '.doc', xlsx: '.xls', pptx: '.ppt' };

/** The archive of an Office document; one that is encrypted, or of the time before 2007, is in an OLE container instead. @throws UnreadableDocument */
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

/** What a part refers to by id; what lies outside of the archive is left out. */
export function relationshipsOf(archive: ZipArchive, part: string): Map<string, Relationship> {
  const { dir, base } = posix.parse(part);
  const found = new Map<string, Relationship>();
  const bytes = archive.readIfAny(posix.join(dir, '_rels', `${base}.rels`));
  if (!bytes) return found;
  readXml(bytes, {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || !id || !target || mode === 'External') return;
      found.set(id, { kind: posix.basename(type ?? ''), part: partAt(part, target) });
    },
  });
  return found;
}

/** The part that the whole document begins with, e.g. `xl/workbook.xml`. */
export function mainPart(archive: ZipArchive, usual: string): string {
  const relationships = [...relationshipsOf(archive, '').values()];
  return relationships.find(({ kind }) => kind === 'officeDocument')?.part ?? usual;
}

/** What the document says of itself. */
export function coreProperties(archive: ZipArchive): { title: string | null; language: string | null } {
  const relationships = [...relationshipsOf(archive, '').values()];
  const part = relationships.find(({ kind }) => kind === 'core-properties')?.part ?? 'docProps/core.xml';
  return dublinCore(archive.readIfAny(part));
}

/** Title and language of a part that has them in elements of Dublin Core, each the first of its kind. */
export function dublinCore(bytes: Uint8Array | null): { title: string | null; language: string | null } {
  const values = new Map<string, string>();
  let open: string | null = null;
  if (bytes) {
    readXml(bytes, {
      open: (name) => {
        open = (name === 'title' || name === 'language') && !values.has(name) ? name : null;
      },
      text: (text) => {
        if (open) values.set(open, (values.get(open) ?? '') + text);
      },
      close: () => {
        open = null;
      },
    });
  }
  return {
    title: cleanLine(values.get('title') ?? '') || null,
    language: primaryLanguage(values.get('language')),
  };
}

/** The relationship that an element names by its `r:id`. */
export function relationshipId(attributes: Readonly<Record<string, string>>): string {
  return attribute(attributes, 'id') ?? '';
}
