export interface Citation {
  index: number;
  document_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

/** A page or file that the text of a bot's answer cites. */
export interface CitedSource {
  number: number;
  title: string;
  url: string | null;
  quotes: string[];
}

/** Matches parts of an answer: code spans, backticks that open a code block, and citations such as `[1]`. */
const MARKS = /(`{3,})|`[^`\n]*`|\[(\d{1,3})\]/g;

/**
 * Returns the source of each citation in an answer, by the citation's index. Sources are numbered by their
 * first citation in the text; citations of the same page share a source.
 */
export function listCitedSources(text: string, citations: readonly Citation[]): Map<number, CitedSource> {
  const byIndex = new Map<number, CitedSource>();
  const byPage = new Map<string, CitedSource>();
  for (const index of [...findCitedIndexes(text), ...citations.map((citation) => citation.index)]) {
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

/**
 * Returns the citation indexes in an answer's text, except in code. Takes linear time for any sequence of
 * backticks.
 */
function findCitedIndexes(text: string): number[] {
  const indexes: number[] = [];
  const marks = new RegExp(MARKS);
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [, ticks, index] = mark;
    if (ticks) marks.lastIndex = findBlockEnd(text, marks.lastIndex, ticks.length);
    else if (index) indexes.push(Number(index));
  }
  return indexes;
}

function findBlockEnd(text: string, from: number, length: number): number {
  for (const { 0: ticks, index } of text.slice(from).matchAll(/`+/g)) {
    if (ticks.length >= length) return from + index + length;
  }
  return text.length;
}
