import { DamagedParts } from '../damaged-parts.ts';
import { documentFormats } from '../document-types.ts';
import type { ReadResult, Section } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import {
  readCoreProperties,
  findMainPart,
  openOffice,
  readRelatedParts,
  readRelationshipId,
  readRelationships,
  type Relationship,
  type Relationships,
} from './office-package.ts';
import { readCellStyles } from './cell-styles.ts';
import { isOn } from './office-values.ts';
import { readSheet, unescapeText, type Workbook } from './read-sheet.ts';
import { readChart, readShapes } from './read-shapes.ts';
import { readXml } from '../read-xml.ts';
import { RichText } from './rich-text.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import type { ZipArchive } from '../zip-archive.ts';

interface SharedStrings {
  sharedStrings: string[];
  richStrings: Set<number>;
}

interface Sheet {
  name: string;
  part: string;
  /** True for a sheet of the workbook that consists of a chart. */
  isChart: boolean;
}

/**
 * Reads each visible sheet of an Excel workbook, in its order, under the sheet's name. Formulas have their
 * saved values.
 */
export function readXlsx(bytes: Uint8Array): ReadResult {
  const archive = openOffice(bytes, 'xlsx');
  const part = findMainPart(archive, 'xl/workbook.xml');
  const related = readRelationships(archive, part).parts;
  const { sheets, is1904 } = readWorkbook(archive.read(part), related);
  const findRelatedPart = (kind: string) =>
    [...related.values()].find((relationship) => relationship.kind === kind)?.part ?? '';
  const damaged = new DamagedParts();
  const workbook: Workbook = {
    ...readSharedStrings(archive, findRelatedPart('sharedStrings'), damaged),
    styles:
      damaged.try('formats', () => readCellStyles(archive.readIfAny(findRelatedPart('styles')))) ??
      readCellStyles(null),
    is1904,
  };
  const budget = { rows: extractionLimits.csvRows, characters: extractionLimits.textCharacters };
  const sections = sheets.map((sheet): Section => {
    const { addresses, parts } = readRelationships(archive, sheet.part);
    const label = `sheet ${sheet.name}`;
    const bytes = sheet.isChart ? null : damaged.try(label, () => archive.read(sheet.part));
    const rows = bytes
      ? readSheet(bytes, workbook, budget, {
          findTarget: (id) => addresses.get(id),
          onDamage: (error) => damaged.add(label, error),
        })
      : [];
    const drawings = readDrawings(archive, parts, sheet);
    return { headings: [sheet.name], text: [...rows, ...drawings].join('\n\n') };
  });
  damaged.assertRest(sections.some(({ text }) => text !== ''));
  return { ...readCoreProperties(archive), sections, ...damaged.describe(documentFormats.xlsx.name) };
}

/**
 * Reads a sheet's text boxes and charts. A chart among cells repeats their values, so that only its title is
 * read.
 */
function readDrawings(archive: ZipArchive, related: Relationships['parts'], { isChart }: Sheet): string[] {
  return readRelatedParts(archive, related, 'drawing', (bytes, part) => {
    const charts = readRelationships(archive, part).parts;
    return [
      ...readShapes(bytes).shapes.flatMap(({ blocks }) => blocks),
      ...readRelatedParts(archive, charts, 'chart', (chart) =>
        isChart ? readChart(chart) : readChart(chart).filter((block) => !block.startsWith('|')),
      ),
    ];
  });
}

function readWorkbook(
  bytes: Uint8Array,
  related: ReadonlyMap<string, Relationship>,
): { sheets: Sheet[]; is1904: boolean } {
  const sheets: Sheet[] = [];
  let is1904 = false;
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isOn(attributes['date1904']);
      if (name !== 'sheet' || /hidden/i.test(attributes['state'] ?? '')) return;
      const target = related.get(readRelationshipId(attributes));
      if (target === undefined || !/^(?:work|chart)sheet$/.test(target.kind)) return;
      const isChart = target.kind === 'chartsheet';
      sheets.push({ name: attributes['name'] ?? '', part: target.part, isChart });
    },
  });
  return { sheets, is1904 };
}

/**
 * Reads a workbook's table of strings to which cells refer, up to the first damage in the table. Omits
 * phonetic hints.
 */
function readSharedStrings(archive: ZipArchive, part: string, damaged: DamagedParts): SharedStrings {
  const shared = { sharedStrings: [], richStrings: new Set<number>() };
  damaged.try('texts', () => addSharedStrings(archive.readIfAny(part), shared));
  return shared;
}

function addSharedStrings(bytes: Buffer | null, { sharedStrings, richStrings }: SharedStrings): void {
  let string = new RichText();
  let characters = 0;
  if (!bytes) return;
  readXml(bytes, {
    open: (name, { val }) => {
      if (name === 'si') string = new RichText();
      else string.open(name, val);
    },
    text: (text) => string.addText(text),
    close: (name) => {
      string.close(name);
      if (name !== 'si') return;
      characters += string.text.length;
      if (characters > extractionLimits.textCharacters) {
        throw new UnreadableDocument(
          'too_large',
          'The Excel workbook contains more text than Parley can read.',
        );
      }
      if (string.hasFormats) richStrings.add(sharedStrings.length);
      sharedStrings.push(unescapeText(string.text));
    },
  });
}
