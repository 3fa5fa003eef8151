import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { extractDocument } from '../../adapters/extraction/extract.ts';
import type { ExtractedDocument } from '../../adapters/extraction/extracted-document.ts';
import { isUnreadable } from '../../adapters/extraction/unreadable-document.ts';

export interface ReadDocument {
  /** Text of the document with its headings, without marks of Markdown; empty if Parley refuses the document. */
  text: string;
  isRefused: boolean;
}

/** Reads documents as an ingestion does, and records the slowest document and the number of refused documents. */
export class DocumentReading {
  #slowest = { file: '', ms: 0 };
  #refused = 0;

  get slowest(): { file: string; ms: number } {
    return this.#slowest;
  }

  get refused(): number {
    return this.#refused;
  }

  async read(path: string, mimeType: string | null = null): Promise<ReadDocument> {
    const startMs = performance.now();
    const document = await readOrRefuse(path, mimeType);
    const ms = performance.now() - startMs;
    if (ms > this.#slowest.ms) this.#slowest = { file: basename(path), ms };
    if (document === null) this.#refused += 1;
    return { text: document ? toPlainText(document) : '', isRefused: document === null };
  }
}

async function readOrRefuse(path: string, mimeType: string | null): Promise<ExtractedDocument | null> {
  try {
    return await extractDocument({ bytes: readFileSync(path), filename: basename(path), mimeType });
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Joins the sections of a document into one text, with each heading once, before its first section. */
function toPlainText({ sections }: ExtractedDocument): string {
  const parts: string[] = [];
  let previous: readonly string[] = [];
  for (const { headings, text } of sections) {
    const first = headings.findIndex((heading, index) => heading !== previous[index]);
    const newHeadings = first < 0 ? [] : headings.slice(first);
    parts.push(...newHeadings);
    previous = headings;
    if (text !== headings.at(-1)) parts.push(text);
  }
  return removeMarks(parts.join('\n\n'));
}

function removeMarks(markdown: string): string {
  return markdown
    .replaceAll(
      /\[([^[\]]*)\]\((?:https?:|mailto:|tel:)[^()\s]*(?:\([^()]*\)[^()\s]*)*(?: "[^"]*")?\)/g,
      '$1',
    )
    .replaceAll(/\*\*|__|`|~~/g, '')
    .replaceAll(/(^|[\s(„"“])[_*]([^_*\n]+)[_*]/gm, '$1$2')
    .replaceAll(/^\s*(?:>\s?)+/gm, '')
    .replaceAll(/^\s*[-*+]\s+/gm, '');
}
