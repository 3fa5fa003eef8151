import { Button } from '@mantine/core';
import { useId } from 'react';
import { useStore } from '../../state/use-store.ts';
import type { Loaded } from '../../state/use-load.ts';
import type { BotRead } from '../../client/types.ts';
import { goTo, buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { Section } from '../../components/section.tsx';
import { AvatarUpload } from '../avatar-upload.tsx';
import { BotForm } from '../bot-form.tsx';
import { useBotForm, type BotFormState } from '../use-bot-form.ts';
import { DiscardDraft } from './discard-draft.tsx';
import { generations } from './generations.ts';
import { OriginFacts } from './origin-facts.tsx';
import { SiteImport } from './site-import.tsx';
import { OtherSettings } from './other-settings.tsx';
import type { Origin } from './use-origin.ts';

export interface DraftTabProps {
  bot: BotRead;
  origin: Loaded<Origin | null>;
  onChange(bot: BotRead): void;
}

/** Tab in which the user reviews, edits and activates a generated bot. */
export function DraftTab({ bot, origin, onChange }: DraftTabProps) {
  const formId = useId();
  const mayWrite = usePermission()('bots:write', 'member');
  const form = useBotForm(bot, (saved) => {
    onChange(saved);
    if (bot.status === 'draft' && saved.status === 'active') goTo(buildHref(['bots', bot.id, 'embed']));
  });
  const topics = useStore(generations)?.made?.botId === bot.id ? generations.value?.made?.topics : undefined;
  return (
    <>
      <Decision bot={bot} form={form} formId={formId} mayWrite={mayWrite} />
      <div className="columns">
        <BotForm id={formId} bot={bot} form={form} isReadOnly={!mayWrite} />
        <div className="stack">
          <OriginFacts bot={bot} origin={origin} />
          <SiteImport botId={bot.id} topics={topics ?? []} />
          <OtherSettings bot={bot} onChange={onChange} />
          {mayWrite && <AvatarUpload bot={bot} onChange={onChange} />}
        </div>
      </div>
    </>
  );
}

interface DecisionProps {
  bot: BotRead;
  form: BotFormState;
  formId: string;
  mayWrite: boolean;
}

/** Buttons that activate or discard the generated bot. */
function Decision({ bot, form: { save, isUnchanged }, formId, mayWrite }: DecisionProps) {
  if (bot.status !== 'draft')
    return (
      <p className="notice">
        The bot is {bot.status}: it is no draft any more. Its{' '}
        <a href={buildHref(['bots', bot.id, 'settings'])}>settings</a> are where it is changed.
      </p>
    );
  const activate = (): void => {
    const fields = document.getElementById(formId) as HTMLFormElement | null;
    if (fields?.reportValidity()) save.run({ status: 'active' });
  };
  return (
    <Section title="This is a draft: only your team sees it">
      <p>
        Read it through, change what is not right, and try it. Once it is active, it answers visitors of every
        page with its snippet.
      </p>
      <div className="row">
        {mayWrite && (
          <>
            <Button aria-disabled={save.isBusy} onClick={activate}>
              {isUnchanged ? 'Activate' : 'Save and activate'}
            </Button>
            <a className="button" href={buildHref(['bots', bot.id, 'playground'])}>
              Try it
            </a>
            <DiscardDraft bot={bot} />
          </>
        )}
      </div>
    </Section>
  );
}
