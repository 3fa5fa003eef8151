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

/** Code, where brackets are no marks, and then the marks. */
const MARKS = /(`{3,})[^]*?(?:\1|$)|`[^`\n]*`|\[(\d{1,3})\]/g;

/**
 * The sources by the indexes of their citations: numbered in the order in which the text names them, and each once, however many
 * of its passages are cited.
 */
export function citedSources(text: string, citations: readonly Citation[]): Map<number, CitedSource> {
  const byIndex = new Map<number, CitedSource>();
  const byPage = new Map<string, CitedSource>();
  const named = [...text.matchAll(MARKS)].map(([, , index]) => Number(index));
  for (const index of [...named, ...citations.map((citation) => citation.index)]) {
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
