import mammoth from 'mammoth';
import type { ReadResult } from '../extracted-document.ts';
import { convertHtmlToMarkdown } from '../html/html-markdown.ts';
import { findFirstHeading, splitMarkdown } from '../markdown-sections.ts';
import { openOffice } from './office-package.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

const isText = (name: string) => /\.(?:xml|rels)$/i.test(name);

/** Reads headings, lists and tables of a Word document, without pictures. */
export async function readDocx(bytes: Uint8Array): Promise<ReadResult> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  openOffice(bytes, 'docx').check(isText);
  const sections = splitMarkdown(convertHtmlToMarkdown(await toHtml(buffer)));
  return { title: findFirstHeading(sections), language: null, sections };
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
