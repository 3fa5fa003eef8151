import { Anchor, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { path, withQuery } from '../../client/paths.ts';
import type { Bot, KnowledgeDocument, Page } from '../../client/types.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { Section } from '../../components/page/section.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { IconMark } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { useLastVisit } from '../deploy/use-last-visit.ts';
import { IconAlert } from '../icons.ts';
import { useBotStatus } from '../studio/live-switch.tsx';

interface Problem {
  title: string;
  text: string;
  fix: ReactNode;
}

export interface ProblemsProps {
  bot: Bot;
  /**
   * Whether a card on the page says that the bot is a draft, so that the list of problems does not repeat it.
   */
  hasDraftCard: boolean;
  onChange(bot: Bot): void;
}

/** Lists the problems because of which the bot does not answer visitors well, each with its solution. */
export function Problems(props: ProblemsProps) {
  const problems = useProblems(props);
  return (
    <Section title="Needs attention">
      {problems.length === 0 ? (
        <p className="all-good">
          <IconMark /> Everything looks good.
        </p>
      ) : (
        <ul className="problem-list">
          {problems.map(({ title, text, fix }) => (
            <li key={title}>
              <IconAlert />
              <div>
                <strong>{title}</strong>
                <p>{text}</p>
              </div>
              {fix}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function useProblems({ bot, hasDraftCard, onChange }: ProblemsProps): Problem[] {
  const may = usePermission();
  const setStatus = useBotStatus({ bot, onChange });
  const mayReadKnowledge = may('knowledge:read', 'viewer');
  const url = path`/api/bots/${bot.id}/knowledge`;
  const failed = useApi<Page<KnowledgeDocument>>(
    mayReadKnowledge ? withQuery(url, { status: 'failed', page_size: 1 }) : null,
  );
  const visit = useLastVisit(bot.id);
  const mayWrite = may('bots:write', 'member');
  const link = (section: string, text: string, query?: Record<string, string>): ReactNode => (
    <Anchor href={buildHref(['bots', bot.id, section], query)}>{text}</Anchor>
  );
  const isLive = bot.status === 'active';
  const failures = failed.data?.total ?? 0;
  const problems: (Problem | false)[] = [
    ((bot.status === 'draft' && !hasDraftCard) || bot.status === 'paused') && {
      title: bot.status === 'draft' ? 'The bot is a draft' : 'The bot is paused',
      text: 'Pages with the snippet show nothing until the bot is live.',
      fix: mayWrite && (
        <Button size="xs" aria-disabled={setStatus.isBusy} onClick={() => setStatus.run('active')}>
          Go live
        </Button>
      ),
    },
    bot.status === 'archived' && {
      title: 'The bot is archived',
      text: 'Unarchive it to change and use it again.',
      fix: mayWrite && (
        <Button size="xs" variant="default" onClick={() => setStatus.run('draft')}>
          Unarchive
        </Button>
      ),
    },
    bot.last_error !== null && {
      title: 'The model failed',
      text: bot.last_error,
      fix: link('instructions', 'Check model'),
    },
    bot.indexed_chunk_count === 0 && {
      title: 'No knowledge yet',
      text: bot.strict_kb_mode
        ? 'The bot only answers from knowledge, so it sends the fallback message to everyone.'
        : 'The bot answers from its prompt only.',
      fix: link('knowledge', 'Add knowledge'),
    },
    failures > 0 && {
      title: `${formatCount(failures, 'document')} failed`,
      text: "The bot can't use failed documents until they're re-synced.",
      fix: link('knowledge', 'View documents', { status: 'failed' }),
    },
    !bot.is_public && {
      title: 'The bot is not public',
      text: 'Pages with the snippet show nothing.',
      fix: link('deploy', 'Change access'),
    },
    bot.allowed_domains?.length === 0 && {
      title: 'No domains allowed',
      text: "The widget doesn't work on any site yet.",
      fix: link('deploy', 'Add domains'),
    },
    isLive &&
      visit.isLoaded &&
      visit.host === null && {
        title: 'Widget not seen on your site yet',
        text: 'Add the snippet to your pages, then send a first message.',
        fix: link('deploy', 'Deploy'),
      },
    isLive &&
      !bot.handoff_enabled && {
        title: 'Handoff is off',
        text: "Visitors can't reach your team when the bot has no answer.",
        fix: link('handoff', 'Set up handoff'),
      },
  ];
  return problems.filter((each) => each !== false);
}
