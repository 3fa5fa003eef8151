import { Anchor, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useId, useState } from 'react';
import type { Bot } from '../../client/types.ts';
import { Page } from '../../components/page/page.tsx';
import { RowSkeletons } from '../../components/page/page-skeleton.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { DocumentsPage } from '../../knowledge/documents-page.tsx';
import { NoSuchPage } from '../../no-such-page.tsx';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import type { Cached } from '../../state/use-loaded.ts';
import { useStore } from '../../state/use-store.ts';
import { DeploySection } from '../deploy/deploy-section.tsx';
import { AppearanceFields } from '../fields/appearance-fields.tsx';
import { bindDraft } from '../fields/draft-binding.ts';
import { DirectoryFields } from '../fields/directory-fields.tsx';
import { toRequestField } from '../fields/bot-draft.ts';
import { HandoffFields } from '../fields/handoff-fields.tsx';
import { InstructionFields } from '../fields/instruction-fields.tsx';
import { LeadFields } from '../fields/lead-fields.tsx';
import { useOrigin } from '../generation/use-origin.ts';
import { Overview } from '../overview/overview.tsx';
import { PreviewDrawer, PreviewPane } from '../preview/preview-pane.tsx';
import { TestSection } from '../test/test-section.tsx';
import { useBot } from '../use-bot.ts';
import { VersionsSection } from '../versions/versions-section.tsx';
import { BotMenu } from './bot-menu.tsx';
import { fieldLabels, findFieldSection, listShownFields } from './field-sections.ts';
import { FormSection } from './form-section.tsx';
import { LiveSwitch } from './live-switch.tsx';
import { SaveBar } from './save-bar.tsx';
import { findSection, type SectionId } from './sections.ts';
import { StudioNav } from './studio-nav.tsx';
import { getBotFormKey, useBotForm } from './use-bot-form.ts';

// The script of the flow editor is loaded when the user first opens the tab with the bot's flows.
const FlowsTab = lazy(async () => ({ default: (await import('../../flows/flow-pages.tsx')).FlowsTab }));

export interface StudioPageProps {
  id: string;
  /** Name of the bot studio's section in the URL. */
  part: string;
  /** Segments of the URL after the section's name. */
  rest: readonly string[];
  query: Readonly<Record<string, string>>;
}

/** Page on which the user configures, tests and deploys a bot. */
export function StudioPage({ id, part, rest, query }: StudioPageProps) {
  const bot = useBot(id);
  const { forms } = useSession();
  const changes = useStore(forms)[getBotFormKey(id)] ?? {};
  const section = findSection(part);
  if (section === undefined || !isKnownAddress(section, rest)) return <NoSuchPage />;
  const changed = new Set(Object.keys(changes).map(findFieldSection));
  return (
    <Page
      title={bot.data?.name ?? 'Bot'}
      tools={bot.data && <Tools bot={bot.data} section={section} onChange={bot.set} />}
    >
      <div className="studio">
        <StudioNav botId={id} current={section} isChanged={(each) => changed.has(each)} />
        <div className="studio-content">
          <Section section={section} part={part} rest={rest} query={query} botId={id} bot={bot} />
        </div>
      </div>
    </Page>
  );
}

interface ToolsProps {
  bot: Bot;
  section: SectionId;
  onChange(bot: Bot): void;
}

function Tools({ bot, section, onChange }: ToolsProps) {
  return (
    <>
      <LiveSwitch bot={bot} onChange={onChange} />
      {section !== 'deploy' && (
        <Button component="a" href={buildHref(['bots', bot.id, 'deploy'])}>
          Deploy
        </Button>
      )}
      <BotMenu bot={bot} onChange={onChange} />
    </>
  );
}

interface SectionProps extends Omit<StudioPageProps, 'id'> {
  botId: string;
  section: SectionId;
  bot: Cached<Bot>;
}

/**
 * Content of a section of the bot studio. Sections such as knowledge and search work without the bot's
 * settings, which an API key may not be permitted to read.
 */
function Section(props: SectionProps) {
  const { botId, section, part, bot, query } = props;
  const standalone = {
    knowledge: () => <DocumentsPage botId={botId} />,
    flows: () => (
      <Suspense fallback={<RowSkeletons />}>
        <FlowsTab botId={botId} />
      </Suspense>
    ),
    test: () => <TestSection botId={botId} mode={part === 'search' ? part : query['mode']} query={query} />,
  };
  const render = standalone[section as keyof typeof standalone];
  return (
    <>
      {render?.()}
      {!render && <ProblemMessage problem={bot.problem} onRetry={bot.reload} />}
      {!render && bot.data === undefined && bot.problem === null && (
        <div role="status" aria-label="Loading">
          <RowSkeletons />
        </div>
      )}
      {bot.data && <BotSection {...props} bot={bot.data} onChange={bot.set} isStandalone={Boolean(render)} />}
    </>
  );
}

interface BotSectionProps extends Omit<SectionProps, 'bot'> {
  bot: Bot;
  /**
   * Whether another component renders the section, so that this component renders only the bar with unsaved
   * changes.
   */
  isStandalone: boolean;
  onChange(bot: Bot): void;
}

function BotSection({ bot, section, rest, query, isStandalone, onChange }: BotSectionProps) {
  const formId = useId();
  const isReadOnly = !usePermission()('bots:write', 'member');
  const form = useBotForm(bot, onChange);
  const origin = useOrigin(bot.id, section === 'overview' && bot.status === 'draft');
  const binding = bindDraft(bot, form.draft, form.change, form.save.problem);
  const fields: Partial<Record<SectionId, () => React.ReactNode>> = {
    instructions: () => <InstructionFields {...binding} />,
    appearance: () => <AppearanceFields {...binding} onBotChange={onChange} />,
    handoff: () => <HandoffFields {...binding} />,
    leads: () => <LeadFields {...binding} />,
    directory: () => <DirectoryFields {...binding} />,
  };
  const renderFields = fields[section];
  const hasForm = renderFields !== undefined || section === 'deploy';
  return (
    <>
      {renderFields && (
        <WithPreview bot={bot} form={form}>
          <FormSection key={section} id={formId} form={form} isReadOnly={isReadOnly}>
            {renderFields()}
          </FormSection>
        </WithPreview>
      )}
      {!isStandalone && section === 'overview' && (
        <Overview bot={bot} form={form} origin={origin} onChange={onChange} />
      )}
      {section === 'deploy' && (
        <DeploySection bot={bot} binding={binding} formId={formId} form={form} onChange={onChange} />
      )}
      {section === 'versions' && (
        <VersionsSection bot={bot} version={rest[0]} other={query['with']} onRestored={onChange} />
      )}
      {!isReadOnly && (
        <SaveBar
          form={form}
          formId={hasForm ? formId : undefined}
          inlineFields={listShownFields(section, form.draft).map(toRequestField)}
          labels={fieldLabels}
        />
      )}
    </>
  );
}

interface WithPreviewProps {
  bot: Bot;
  form: ReturnType<typeof useBotForm>;
  children: React.ReactNode;
}

/**
 * Shows a preview of the widget next to a form; in a smaller window, shows a button that opens the preview.
 */
function WithPreview({ bot, form, children }: WithPreviewProps) {
  const isWide = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="studio-split">
      <div className="studio-column">
        {!isWide && (
          <Anchor component="button" type="button" className="preview-link" onClick={() => setOpen(true)}>
            Open preview
          </Anchor>
        )}
        {children}
      </div>
      {isWide ? (
        <PreviewPane bot={bot} draft={form.draft} />
      ) : (
        <PreviewDrawer bot={bot} draft={form.draft} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

const VERSION = /^[1-9]\d{0,8}$/;

/** Whether a URL of the bot studio exists. Only the section of versions has URLs below its own. */
function isKnownAddress(section: SectionId, [version, ...more]: readonly string[]): boolean {
  if (version === undefined) return true;
  return section === 'versions' && more.length === 0 && VERSION.test(version);
}
