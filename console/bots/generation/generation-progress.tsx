import { useNow } from '../../state/use-now.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Section } from '../../components/section.tsx';
import type { Generation } from './generations.ts';

const TYPICAL_DURATION_MS = 31_000;

/** Shows the progress of a generation. The API reports none, so the shown steps depend on the time only. */
export function GenerationProgress({ generation: { request, startedAt } }: { generation: Generation }) {
  const waitedMs = useNow(1000) - startedAt;
  const hasSite = request.website_url !== '';
  return (
    <Section title="The draft is being made">
      <div role="status" className="stack">
        <ol className="steps">
          {hasSite && <li>Up to five pages of {request.website_url} are read.</li>}
          <li>
            The draft is written, by the language model if there is one that answers in time, else by rules.
          </li>
          <li>The bot is made as a draft, which only your team sees.</li>
          {hasSite && request.import_website && <li>The website begins to be imported as a document.</li>}
        </ol>
        <p>
          {waitedMs < TYPICAL_DURATION_MS
            ? 'This usually takes half a minute at most. You can look at other pages meanwhile, or load this one again: there will be one bot.'
            : 'This takes longer than usual. Parley is still asked, and there will be one bot.'}
        </p>
      </div>
      <p className="row">
        <progress aria-label="Making the draft" />
        <span className="hint" aria-hidden="true">
          {formatDuration(waitedMs / 1000)}
        </span>
      </p>
      <details>
        <summary>What was described</summary>
        <p className="text" dir="auto">
          {request.description}
        </p>
      </details>
    </Section>
  );
}
