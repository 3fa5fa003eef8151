import { capitalize } from '../../components/text/capitalize.ts';
import { Facts } from '../../components/lists/facts.tsx';
import type { Origin } from './use-origin.ts';

/** Shows how a draft of a bot was generated: the model, the sources, and any problems. */
export function OriginFacts({ origin: { by, isByRules, from, remarks } }: { origin: Origin }) {
  return (
    <>
      <Facts
        facts={[
          ['Written by', isByRules ? `Template (no AI model) (${by})` : by],
          ['Based on', capitalize(from)],
        ]}
      />
      {remarks.length > 0 && (
        <ul className="remark-list">
          {remarks.map((remark) => (
            <li key={remark}>{toSentence(remark)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function toSentence(remark: string): string {
  return capitalize(remark).replace(/[^.]$/, '$&.');
}
