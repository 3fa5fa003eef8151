import { capitalize } from '../../components/capitalize.ts';
import type { BotRead } from '../../client/types.ts';
import type { Loaded } from '../../state/use-load.ts';
import { Facts } from '../../components/facts.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { Section } from '../../components/section.tsx';
import type { Origin } from './use-origin.ts';

/** Shows how a draft was generated: by which model, from what, and with which problems. */
export function OriginFacts({ bot, origin }: { bot: BotRead; origin: Loaded<Origin | null> }) {
  return (
    <Section title="How it came about">
      <LoadedView loaded={origin}>
        {(known) =>
          known === null ? (
            <p className="hint">
              This bot was not generated from a description, or its first version is no longer stored.
            </p>
          ) : (
            <>
              <Facts
                facts={[
                  [
                    'Written by',
                    known.isByRules ? `rules, without a language model (${known.by})` : known.by,
                  ],
                  ['From', known.from],
                ]}
              />
              {known.remarks.length > 0 && (
                <ul className="plain-list">
                  {known.remarks.map((remark) => (
                    <li key={remark} className="reason">
                      {toSentence(remark)}
                    </li>
                  ))}
                </ul>
              )}
            </>
          )
        }
      </LoadedView>
      {bot.last_error !== null && <p className="problem">{bot.last_error}</p>}
    </Section>
  );
}

function toSentence(remark: string): string {
  return capitalize(remark).replace(/[^.]$/, '$&.');
}
