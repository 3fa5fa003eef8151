import mammoth from 'mammoth';
import { isEncryptedPackage } from './detect-type.ts';
import type { ReadResult } from './extracted-document.ts';
import { htmlToMarkdown } from './html-markdown.ts';
import { firstHeading, markdownSections } from './markdown-sections.ts';
import { UnreadableDocument } from './unreadable-document.ts';
import { guardZip } from './zip-guard.ts';

const isText = (name: string) => /\.(?:xml|rels)$/i.test(name);

/** Headings, lists and tables of a Word document; pictures are left out. */
export async function readDocx(bytes: Uint8Array): Promise<ReadResult> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xd0) throw containerProblem(buffer);
  guardZip(buffer, isText);
  const sections = markdownSections(htmlToMarkdown(await toHtml(buffer)));
  return { title: firstHeading(sections), language: null, sections };
}

async function toHtml(buffer: Buffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        externalFileAccess: false,
      },
    );
    return value;
  } catch (error) {
    throw new UnreadableDocument('damaged', 'The Word document is damaged.', { cause: error });
  }
}

function containerProblem(container: Buffer): UnreadableDocument {
  return isEncryptedPackage(container)
    ? new UnreadableDocument('encrypted', 'The Word document is protected by a password.')
    : new UnreadableDocument(
        'unsupported',
        'The file is an old Word document (.doc). Save it as DOCX or PDF.',
      );
}
