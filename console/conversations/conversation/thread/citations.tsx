import { Popover, UnstyledButton } from '@mantine/core';
import { listCitedSources } from '../../../../browser/cited-sources.ts';
import type { Citation } from '../../../client/types.ts';
import { SafeLink } from '../../../components/text/safe-link.tsx';

export interface CitationsProps {
  /** Text of the message, which refers to the citations by number. */
  text: string;
  citations: readonly Citation[];
}

/** Lists the sources that a bot's message cites, under the numbers that visitors see. */
export function Citations({ text, citations }: CitationsProps) {
  if (citations.length === 0) return null;
  return (
    <ul className="citations" aria-label="Sources">
      {[...new Set(listCitedSources(text, citations).values())].map(({ number, title, url, quotes }) => (
        <li key={number}>
          <Popover width={320} position="bottom-start" shadow="md" radius="md" withinPortal>
            <Popover.Target>
              <UnstyledButton className="citation">
                [{number}] {title}
              </UnstyledButton>
            </Popover.Target>
            <Popover.Dropdown aria-label={`Source ${number}`} className="citation-quotes">
              {quotes.map((quote) => (
                <blockquote key={quote}>{quote}</blockquote>
              ))}
              {url !== null && <SafeLink href={url}>{url}</SafeLink>}
            </Popover.Dropdown>
          </Popover>
        </li>
      ))}
    </ul>
  );
}
