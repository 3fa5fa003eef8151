import { Progress } from '@mantine/core';
import { Section } from '../../components/page/section.tsx';
import { formatDuration } from '../../components/text/format-duration.ts';
import { useNow } from '../../state/use-now.ts';
import type { Generation } from './generations.ts';

const TYPICAL_DURATION_MS = 31_000;
const PERCENT = 100;

/**
 * Shows the progress of generating a bot. The API reports no progress, so the bar depends only on the elapsed
 * time.
 */
export function GenerationProgress({ generation: { request, startedAt } }: { generation: Generation }) {
  const waitedMs = useNow(1000) - startedAt;
  const hasSite = request.website_url !== '';
  return (
    <Section title="Generating your bot…">
      <div role="status">
        <p>
          {waitedMs < TYPICAL_DURATION_MS
            ? 'This usually takes up to 30 seconds. You can leave this page.'
            : 'This is taking longer than usual. You can leave this page.'}
        </p>
      </div>
      <Progress
        animated
        aria-label="Generating your bot"
        value={Math.min(95, (waitedMs / TYPICAL_DURATION_MS) * PERCENT)}
      />
      <p className="hint" aria-hidden="true">
        {formatDuration(waitedMs / 1000)}
      </p>
      <ol className="generation-steps">
        {hasSite && <li>Read up to five pages of {request.website_url}</li>}
        <li>Write the draft</li>
        {hasSite && request.import_website && <li>Import the website as knowledge</li>}
      </ol>
      <blockquote className="quoted" dir="auto">
        {request.description}
      </blockquote>
    </Section>
  );
}
