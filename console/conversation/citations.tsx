import type { Citation } from '../client/types.ts';
import { SafeLink } from '../ui/safe-link.tsx';

export function Citations({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null;
  return (
    <ul class="citations" aria-label="Sources">
      {citations.map(({ index, chunk_id: chunkId, title, source_url: sourceUrl, quote }) => (
        <li key={`${index} ${chunkId}`}>
          <details>
            <summary>
              [{index}] {title}
            </summary>
            <blockquote>{quote}</blockquote>
            {sourceUrl !== null && <SafeLink href={sourceUrl}>{sourceUrl}</SafeLink>}
          </details>
        </li>
      ))}
    </ul>
  );
}
