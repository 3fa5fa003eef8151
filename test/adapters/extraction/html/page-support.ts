import { extractBytes } from '../extraction-support.ts';

/** A sentence of usual length, so that a page in a test contains prose. */
export const PROSE =
  'This sentence is as long as sentences usually are, so that a reader has something to read here.';

/** Reads an HTML page with this body and returns its blocks: headings with `#`, paragraphs and lists. */
export async function readBlocks(body: string): Promise<string[]> {
  const page = `<!doctype html><html><title>Case</title><body>${body}`;
  const { sections } = await extractBytes(page, 'page.html');
  return sections.flatMap(({ headings, text }) => [
    ...headings.slice(-1).map((heading) => `# ${heading}`),
    ...text.split('\n\n'),
  ]);
}

/** Reads an article with this content between two paragraphs of prose; returns the blocks between them. */
export async function readBetween(content: string): Promise<string[]> {
  const blocks = await readBlocks(`<main><h1>Refunds</h1><p>${PROSE}</p>${content}<p>${PROSE}</p></main>`);
  return blocks.filter((block) => block !== '# Refunds' && block !== PROSE);
}
