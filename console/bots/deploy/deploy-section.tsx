import { Tabs } from '@mantine/core';
import { path } from '../../client/paths.ts';
import type { Bot, EmbedSnippet } from '../../client/types.ts';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Section } from '../../components/page/section.tsx';
import { Status } from '../../components/lists/status.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';
import { AccessFields } from '../fields/access-fields.tsx';
import type { DraftBinding } from '../fields/draft-binding.ts';
import { FormSection } from '../studio/form-section.tsx';
import type { BotFormState } from '../studio/use-bot-form.ts';
import { IdentitySecret } from './identity-secret.tsx';
import { NotShownHint } from './not-shown-hint.tsx';
import { buildSnippets } from './snippets.ts';
import { useLastVisit } from './use-last-visit.ts';

export interface DeploySectionProps {
  bot: Bot;
  binding: DraftBinding;
  form: BotFormState;
  formId: string;
  onChange(bot: Bot): void;
}

/**
 * Section with the code that adds the bot to a website, who may use the bot, and the secret that identifies
 * visitors.
 */
export function DeploySection({ bot, binding, form, formId, onChange }: DeploySectionProps) {
  const isReadOnly = !usePermission()('bots:write', 'member');
  const embed = useApi<EmbedSnippet>(path`/api/bots/${bot.id}/embed`);
  return (
    <div className="deploy">
      <div className="studio-column">
        <NotShownHint bot={bot} onChange={onChange} />
        <Section title="Embed code" tools={<SeenOnSite botId={bot.id} />}>
          <LoadedView loaded={embed}>{({ snippet }) => <Snippets snippet={snippet} />}</LoadedView>
        </Section>
      </div>
      <div className="studio-column">
        <FormSection id={formId} form={form} isReadOnly={isReadOnly}>
          <AccessFields {...binding} />
        </FormSection>
        {embed.data && <IdentitySecret botId={bot.id} embed={embed.data} onChange={embed.reload} />}
      </div>
    </div>
  );
}

function Snippets({ snippet }: { snippet: string }) {
  const snippets = buildSnippets(snippet);
  return (
    <Tabs defaultValue={snippets[0]!.id}>
      <Tabs.List mb="md">
        {snippets.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, name, steps, code }) => (
        <Tabs.Panel key={id} value={id}>
          <p className="hint">{steps}</p>
          <CopyField label={id === 'html' ? 'Snippet' : `Code for ${name}`} value={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Says on which website a visitor last chatted with the bot. */
function SeenOnSite({ botId }: { botId: string }) {
  const { isLoaded, host, at } = useLastVisit(botId);
  if (!isLoaded) return null;
  if (host === null) return <Status tone="quiet">Widget not seen on your site yet</Status>;
  return (
    <span className="seen-on">
      <Status tone="good">{`Seen on ${host}`}</Status> <RelativeTime at={at} />
    </span>
  );
}
