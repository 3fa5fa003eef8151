import { listCitedSources } from '../../../browser/cited-sources.ts';
import type { Citation } from '../../client/types.ts';
import { SafeLink } from '../../components/safe-link.tsx';

export interface CitationsProps {
  /** Text of the message, which refers to the citations by number. */
  text: string;
  citations: readonly Citation[];
}

/** Lists the sources that a message cites, under the numbers that visitors see. */
export function Citations({ text, citations }: CitationsProps) {
  if (citations.length === 0) return null;
  return (
    <ul className="citations" aria-label="Sources">
      {[...new Set(listCitedSources(text, citations).values())].map(({ number, title, url, quotes }) => (
        <li key={number}>
          <details>
            <summary>
              [{number}] {title}
            </summary>
            {quotes.map((quote) => (
              <blockquote key={quote}>{quote}</blockquote>
            ))}
            {url !== null && <SafeLink href={url}>{url}</SafeLink>}
          </details>
        </li>
      ))}
    </ul>
  );
}
