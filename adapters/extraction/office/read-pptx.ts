import { DamagedParts } from '../damaged-parts.ts';
import { documentFormats } from '../document-types.ts';
import type { ReadResult, Section } from '../extracted-document.ts';
import {
  readCoreProperties,
  findMainPart,
  openOffice,
  readRelatedParts,
  readRelationshipId,
  readRelationships,
} from './office-package.ts';
import { readChart, readDiagram, readShapes, type Shape, type SlideSize } from './read-shapes.ts';
import { readXml } from '../read-xml.ts';
import { SectionBuilder } from '../section-builder.ts';
import type { ZipArchive } from '../zip-archive.ts';

/** Matches PowerPoint's default titles of presentations, which do not describe the content. */
const NO_TITLE =
  /^(?:powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|slide 1)$/i;

/**
 * Reads each slide of a PowerPoint presentation with its title and speaker notes, in presentation order.
 * Omits hidden slides, and boxes outside of a slide's area.
 */
export function readPptx(bytes: Uint8Array): ReadResult {
  const archive = openOffice(bytes, 'pptx');
  const sections = new SectionBuilder();
  const { slides, size } = readPresentation(archive);
  const damaged = new DamagedParts();
  for (const [index, part] of slides.entries())
    damaged.try(`slide ${index + 1}`, () => addSlide(archive, { part, number: index + 1, size }, sections));
  const { title, language } = readCoreProperties(archive);
  const found = sections.end();
  damaged.assertRest(found.length > 0);
  return {
    title: title && !NO_TITLE.test(title) ? title : findFirstTitle(found),
    language,
    sections: found,
    ...damaged.describe(documentFormats.pptx.name),
  };
}

const findFirstTitle = (sections: readonly Section[]) => sections[0]?.headings[0] ?? null;

interface Slide {
  part: string;
  /** Number of the slide in the presentation, from 1. */
  number: number;
  size: SlideSize | undefined;
}

function readPresentation(archive: ZipArchive): { slides: string[]; size: SlideSize | undefined } {
  const part = findMainPart(archive, 'ppt/presentation.xml');
  const relationships = readRelationships(archive, part).parts;
  const slides: string[] = [];
  let size: SlideSize | undefined;
  readXml(archive.read(part), {
    open: (name, attributes) => {
      const target = name === 'sldId' ? relationships.get(readRelationshipId(attributes)) : undefined;
      if (target) slides.push(target.part);
      if (name === 'sldSz') size = { width: Number(attributes['cx']), height: Number(attributes['cy']) };
    },
  });
  return { slides, size };
}

function addSlide(archive: ZipArchive, { part, number, size }: Slide, sections: SectionBuilder): void {
  const { shapes, isHidden } = readShapes(archive.read(part), size);
  if (isHidden) return;
  const related = readRelationships(archive, part).parts;
  const isTitle = ({ role }: Shape) => role === 'title' || role === 'ctrTitle';
  const title = shapes.find(isTitle)?.blocks.join(' ');
  const notes = readRelatedParts(archive, related, 'notesSlide', readSpeakerNotes);
  const blocks = [
    ...shapes.flatMap((shape) => (isTitle(shape) ? [] : shape.blocks)),
    ...readRelatedParts(archive, related, 'diagramData', readDiagram),
    ...readRelatedParts(archive, related, 'chart', readChart),
    ...(notes.length > 0 ? [`Notes: ${notes.join('\n')}`] : []),
  ];
  if (!title && blocks.length === 0) return;
  sections.addHeading(1, title || `Slide ${number}`, number);
  for (const block of blocks) sections.addBlock(block);
}

/** Reads the speaker notes of a notes page. The page also contains the slide, its number and the date. */
const readSpeakerNotes = (bytes: Buffer) =>
  readShapes(bytes).shapes.flatMap(({ role, blocks }) =>
    role === 'body' ? blocks.map((block) => block.replace(/^ *- /gm, '')) : [],
  );
