import { Button } from '@mantine/core';
import type { Bot } from '../../client/types.ts';
import { Section } from '../../components/page/section.tsx';
import { buildHref, goTo } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useStore } from '../../state/use-store.ts';
import type { BotFormState } from '../studio/use-bot-form.ts';
import { DiscardDraft } from './discard-draft.tsx';
import { generations } from './generations.ts';
import { OriginFacts } from './origin-facts.tsx';
import { SiteImport } from './site-import.tsx';
import type { Origin } from './use-origin.ts';

export interface DraftCardProps {
  bot: Bot;
  form: BotFormState;
  origin: Origin;
}

/** Card with which the user reviews a generated bot, puts it live or deletes it. */
export function DraftCard({ bot, form: { save, isUnchanged }, origin }: DraftCardProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const created = useStore(generations)?.made;
  const topics = created?.botId === bot.id ? created.topics : [];
  return (
    <Section
      title="Draft: only visible to your team"
      description="Review and test your bot. Pages with the snippet show nothing until the bot is live."
    >
      <OriginFacts origin={origin} />
      <SiteImport botId={bot.id} topics={topics} />
      {mayWrite && (
        <div className="button-row">
          <Button
            aria-disabled={save.isBusy}
            onClick={() => save.run({ status: 'active' }, () => goTo(buildHref(['bots', bot.id, 'deploy'])))}
          >
            {isUnchanged ? 'Go live' : 'Save and go live'}
          </Button>
          <Button variant="default" component="a" href={buildHref(['bots', bot.id, 'test'])}>
            Test
          </Button>
          <DiscardDraft bot={bot} />
        </div>
      )}
    </Section>
  );
}
