import type { ReadResult, Section } from '../extracted-document.ts';
import {
  coreProperties,
  mainPart,
  openOffice,
  relationshipId,
  relationshipsOf,
  type Relationship,
} from './office-package.ts';
import { chartBlocks, diagramBlocks, readShapes, type Shape } from './read-shapes.ts';
import { readXml } from '../read-xml.ts';
import { SectionBuilder } from '../section-builder.ts';
import type { ZipArchive } from '../zip-archive.ts';

/** PowerPoint's default titles. */
const NO_TITLE =
  /^(?:powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|slide 1)$/i;

/** Reads each slide under its title, in presentation order, with its speaker notes. Hidden slides are omitted. */
export function readPptx(bytes: Uint8Array): ReadResult {
  const archive = openOffice(bytes, 'pptx');
  const sections = new SectionBuilder();
  for (const [number, part] of slideParts(archive).entries()) addSlide(archive, part, number + 1, sections);
  const { title, language } = coreProperties(archive);
  const found = sections.end();
  return { title: title && !NO_TITLE.test(title) ? title : firstTitle(found), language, sections: found };
}

const firstTitle = (sections: readonly Section[]) => sections[0]?.headings[0] ?? null;

function slideParts(archive: ZipArchive): string[] {
  const part = mainPart(archive, 'ppt/presentation.xml');
  const relationships = relationshipsOf(archive, part);
  const slides: string[] = [];
  readXml(archive.read(part), {
    open: (name, attributes) => {
      const target = name === 'sldId' ? relationships.get(relationshipId(attributes)) : undefined;
      if (target) slides.push(target.part);
    },
  });
  return slides;
}

function addSlide(archive: ZipArchive, part: string, number: number, sections: SectionBuilder): void {
  const { shapes, isHidden } = readShapes(archive.read(part));
  if (isHidden) return;
  const related = [...relationshipsOf(archive, part).values()];
  const isTitle = ({ role }: Shape) => role === 'title' || role === 'ctrTitle';
  const title = shapes.find(isTitle)?.blocks.join(' ');
  const notes = partsOf(archive, related, 'notesSlide', notesIn);
  const blocks = [
    ...shapes.flatMap((shape) => (isTitle(shape) ? [] : shape.blocks)),
    ...partsOf(archive, related, 'diagramData', diagramBlocks),
    ...partsOf(archive, related, 'chart', chartBlocks),
    ...(notes.length > 0 ? [`Notes: ${notes.join('\n')}`] : []),
  ];
  if (!title && blocks.length === 0) return;
  sections.heading(1, title || `Slide ${number}`, number);
  for (const block of blocks) sections.block(block);
}

function partsOf(
  archive: ZipArchive,
  related: readonly Relationship[],
  kind: string,
  blocksOf: (bytes: Buffer) => string[],
): string[] {
  return related
    .filter((relationship) => relationship.kind === kind)
    .flatMap(({ part }) => blocksOf(archive.read(part)));
}

/** Reads the notes from a page of notes, which also shows the slide, its number and the date. */
const notesIn = (bytes: Buffer) =>
  readShapes(bytes).shapes.flatMap(({ role, blocks }) =>
    role === 'body' ? blocks.map((block) => block.replace(/^ *- /gm, '')) : [],
  );
