export interface Citation {
  index: number;
  document_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

/** A page or file that a text draws on. */
export interface CitedSource {
  number: number;
  title: string;
  url: string | null;
  quotes: string[];
}

/** The backticks that open a block of code, a whole code span, or a mark. */
const MARKS = /(`{3,})|`[^`\n]*`|\[(\d{1,3})\]/g;

/**
 * The sources by the indexes of their citations: numbered in the order in which the text names them, and each once, however many
 * of its passages are cited.
 */
export function citedSources(text: string, citations: readonly Citation[]): Map<number, CitedSource> {
  const byIndex = new Map<number, CitedSource>();
  const byPage = new Map<string, CitedSource>();
  for (const index of [...namedIndexes(text), ...citations.map((citation) => citation.index)]) {
    const citation = byIndex.has(index) ? undefined : citations.find((each) => each.index === index);
    if (!citation) continue;
    const { document_id: file, source_url: url, title, quote } = citation;
    const page = url ?? file;
    const source = byPage.get(page) ?? { number: byPage.size + 1, title, url, quotes: [] };
    if (!source.quotes.includes(quote)) source.quotes.push(quote);
    byPage.set(page, source);
    byIndex.set(index, source);
  }
  return byIndex;
}

/** The indexes that a text names outside of code. Linear, whatever runs of backticks the text has. */
function namedIndexes(text: string): number[] {
  const indexes: number[] = [];
  const marks = new RegExp(MARKS);
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [, ticks, index] = mark;
    if (ticks) marks.lastIndex = blockEnd(text, marks.lastIndex, ticks.length);
    else if (index) indexes.push(Number(index));
  }
  return indexes;
}

function blockEnd(text: string, from: number, length: number): number {
  for (const { 0: ticks, index } of text.slice(from).matchAll(/`+/g)) {
    if (ticks.length >= length) return from + index + length;
  }
  return text.length;
}
