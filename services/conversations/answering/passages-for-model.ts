import type { Passage } from '../../../core/answers/chat-model.ts';
import type { SearchHit } from '../../knowledge/search/search-service.ts';

/** Maximum overlap of two neighboring chunks of a document, in characters. */
const MAX_OVERLAP_CHARS = 800;
const MIN_OVERLAP_CHARS = 12;

/**
 * Converts search hits to passages for a model, best first. Neighboring chunks of a document's section become
 * one passage, with the citation of the better hit.
 */
export function toPassages(hits: readonly SearchHit[]): Passage[] {
  const groups: SearchHit[][] = [];
  for (const hit of hits) {
    const group = groups.find((joined) => joined.some((other) => areNeighbors(other, hit)));
    if (group) group.push(hit);
    else groups.push([hit]);
  }
  return groups.map((group) => {
    const { documentId, chunkId, title, sourceUrl, score, headings } = group[0]!;
    const inOrder = group.toSorted((a, b) => a.position - b.position).map(({ text }) => text);
    return { documentId, chunkId, title, sourceUrl, score, headings, text: inOrder.reduce(joinOverlapping) };
  });
}

function areNeighbors(a: SearchHit, b: SearchHit): boolean {
  return (
    a.documentId === b.documentId &&
    Math.abs(a.position - b.position) === 1 &&
    a.headings.join('\n') === b.headings.join('\n')
  );
}

/** Joins the texts of two chunks. Text that ends the first and begins the second is included once. */
function joinOverlapping(first: string, second: string): string {
  const longest = Math.min(first.length, second.length, MAX_OVERLAP_CHARS);
  for (let length = longest; length >= MIN_OVERLAP_CHARS; length--) {
    if (first.endsWith(second.slice(0, length))) return first + second.slice(length);
  }
  return `${first}\n\n${second}`;
}
