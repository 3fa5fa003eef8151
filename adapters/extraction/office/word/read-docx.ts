import { DamagedParts } from '../../damaged-parts.ts';
import { documentFormats } from '../../document-types.ts';
import type { ReadResult, Section } from '../../extracted-document.ts';
import { findFirstHeading } from '../../markdown-sections.ts';
import { findAttribute } from '../../read-xml.ts';
import { readXmlElements, type XmlElement } from '../../xml-tree.ts';
import type { ZipArchive } from '../../zip-archive.ts';
import { readImportedText } from './imported-text.ts';
import { findMainPart, openOffice, readRelationships, type Relationship } from '../office-package.ts';
import { readChart, readDiagram } from '../read-shapes.ts';
import { WordSections } from './word-blocks.ts';
import { WordLists } from './word-lists.ts';
import { WordReader, type NoteKind, type WordParts } from './word-reader.ts';
import { WordStyles } from './word-styles.ts';

const { name } = documentFormats.docx;
const defaultPart = 'word/document.xml';
/** Markup of a Word document's drawings behind the text, in new and old files. */
const BACKDROPS = ['behindDoc="1"', 'behindDoc="true"', 'z-index:-'];
/** Matches the background color of all pages in a Word document, which stands before the text. */
const PAGE_COLOR = /<w:background [^>]{0,300}w:color="(?!auto|FFFFFF)/i;
const PAGE_COLOR_BYTES = 20_000;

/**
 * Reads headings, lists, tables, text boxes, equations and notes of a Word document. Omits hidden text,
 * tracked deletions and comments. Skips damaged parts other than the main text.
 */
export function readDocx(bytes: Uint8Array): ReadResult {
  const archive = openOffice(bytes, 'docx');
  archive.assertFit((name) => /\.(?:xml|rels)$/i.test(name));
  const parts = new DocumentParts(archive);
  const sections = new WordSections();
  const reader = new WordReader(parts);
  readXmlElements(
    archive.read(parts.main),
    (_name, parent) => parent === 'body',
    (element) => reader.readBlock(element, sections),
    { isLenient: true },
  );
  reader.end(sections);
  const found = sections.end();
  return { title: findFirstHeading(found), language: null, sections: found, ...parts.damaged.describe(name) };
}

/** Parts of a Word document to which its text refers. A damaged part counts as missing. */
class DocumentParts implements WordParts {
  readonly main: string;
  readonly styles: WordStyles;
  readonly lists: WordLists;
  readonly #archive: ZipArchive;
  readonly #related: ReadonlyMap<string, Relationship>;
  readonly #links: ReadonlyMap<string, string>;
  readonly #notes = new Map<NoteKind, Map<string, XmlElement>>();
  /** Texts of charts and diagrams by their part, to which a document may refer many times. */
  readonly #blocks = new Map<string, string[]>();
  readonly #imported = new Set<string>();
  readonly damaged = new DamagedParts();
  #hasBackdrop: boolean | undefined;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
    this.main = this.damaged.try('relationships', () => findMainPart(archive, defaultPart)) ?? defaultPart;
    const related = this.damaged.try('relationships', () => readRelationships(archive, this.main));
    this.#related = related?.parts ?? new Map();
    this.#links = related?.addresses ?? new Map();
    this.styles =
      this.damaged.try('styles', () => new WordStyles(this.#readRelated('styles'))) ?? new WordStyles(null);
    this.lists =
      this.damaged.try('lists', () => new WordLists(this.#readRelated('numbering'))) ?? new WordLists(null);
  }

  get hasBackdrop(): boolean {
    return (this.#hasBackdrop ??= this.#findBackdrop());
  }

  findLinkTarget(id: string): string {
    return this.#links.get(id) ?? '';
  }

  findNote(kind: NoteKind, id: string): XmlElement | undefined {
    const notes =
      this.#notes.get(kind) ?? this.damaged.try(`${kind}s`, () => this.#readNotes(kind)) ?? new Map();
    this.#notes.set(kind, notes);
    return notes.get(id);
  }

  readChart(id: string): string[] {
    return this.#readBlocks('charts', id, readChart);
  }

  readDiagram(id: string): string[] {
    return this.#readBlocks('diagrams', id, readDiagram);
  }

  /**
   * Reads an imported part of the document at its first reference. Returns no sections for further
   * references, so that its text appears once.
   */
  readImported(id: string): Section[] {
    const part = this.#related.get(id)?.part;
    if (part === undefined || this.#imported.has(part)) return [];
    this.#imported.add(part);
    return this.damaged.try('imported texts', () => readImportedText(this.#archive.read(part), part)) ?? [];
  }

  /**
   * Looks for a page color and for pictures behind the document's text, also in headers, which are drawn on
   * each page.
   */
  #findBackdrop(): boolean {
    const headers = [...this.#related.values()].filter(({ kind }) => kind === 'header');
    return [this.main, ...headers.map(({ part }) => part)].some((part) => {
      const bytes = this.damaged.try('headers', () => this.#archive.readIfAny(part));
      if (!bytes) return false;
      return (
        BACKDROPS.some((mark) => bytes.includes(mark)) ||
        PAGE_COLOR.test(bytes.toString('latin1', 0, PAGE_COLOR_BYTES))
      );
    });
  }

  #readNotes(kind: NoteKind): Map<string, XmlElement> {
    const notes = new Map<string, XmlElement>();
    const bytes = this.#readRelated(`${kind}s`);
    if (!bytes) return notes;
    readXmlElements(
      bytes,
      (name) => name === kind,
      (element) => {
        // Skip separators between text and notes, which have a type.
        const type = findAttribute(element.attributes, 'type') ?? 'normal';
        if (type === 'normal') notes.set(findAttribute(element.attributes, 'id') ?? '', element);
      },
      { isLenient: true },
    );
    return notes;
  }

  #readBlocks(label: string, id: string, read: (bytes: Buffer) => string[]): string[] {
    const part = this.#related.get(id)?.part;
    if (part === undefined) return [];
    const blocks =
      this.#blocks.get(part) ?? this.damaged.try(label, () => read(this.#archive.read(part))) ?? [];
    this.#blocks.set(part, blocks);
    return blocks;
  }

  #readRelated(kind: string): Buffer | null {
    const related = [...this.#related.values()].find((relationship) => relationship.kind === kind);
    return this.#archive.readIfAny(related?.part ?? `word/${kind}.xml`);
  }
}
