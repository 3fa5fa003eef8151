import type { Bot, CalendarConnection, Webhook } from '../client/types.ts';
import { Section } from '../components/page/section.tsx';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { useApi } from '../state/use-api.ts';

interface WorkspaceProblem {
  id: string;
  title: string;
  detail: string;
  /** Label of the link to the page on which the user can solve the problem. */
  fix: string;
  href: string;
}

/**
 * Lists the problems of the workspace, each with a link to the page that solves it. Renders nothing if the
 * workspace has none.
 */
export function ProblemList({ bots }: { bots: readonly Bot[] }) {
  const may = usePermission();
  const { data: webhooks = [] } = useApi<Webhook[]>(may('webhooks:read', 'admin') ? '/api/webhooks' : null);
  const { data: calendar } = useApi<CalendarConnection | null>(
    may('bookings:read', 'viewer') ? '/api/calendar/connection' : null,
  );
  const problems = [
    ...listBotProblems(bots),
    ...listWebhookProblems(webhooks),
    ...listCalendarProblems(calendar ?? null),
  ];
  if (problems.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className="home-rows">
        {problems.map(({ id, title, detail, fix, href }) => (
          <li key={id}>
            <a href={href}>
              <span className="home-row-text">
                <strong dir="auto">{title}</strong>
                <span className="hint" dir="auto">
                  {detail}
                </span>
              </span>
              <span className="home-row-end home-fix">{fix}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function listBotProblems(bots: readonly Bot[]): WorkspaceProblem[] {
  const live = bots.filter(({ status }) => status === 'active');
  return [
    ...live.flatMap(({ id, name, last_error: error }) =>
      error === null
        ? []
        : [
            {
              id: `error ${id}`,
              title: `${name} can't answer`,
              detail: error,
              fix: 'Check the model',
              href: buildHref(['bots', id]),
            },
          ],
    ),
    ...live
      .filter(({ indexed_chunk_count: count, strict_kb_mode: isStrict }) => isStrict && count === 0)
      .map(({ id, name }) => ({
        id: `knowledge ${id}`,
        title: `${name} has no knowledge`,
        detail: 'It only answers from knowledge, so every answer is the fallback message.',
        fix: 'Add knowledge',
        href: buildHref(['bots', id, 'documents']),
      })),
  ];
}

function listWebhookProblems(webhooks: readonly Webhook[]): WorkspaceProblem[] {
  return webhooks
    .filter(({ health, disabled_at: disabledAt }) => health === 'failing' || disabledAt !== null)
    .map(({ id, url, description, disabled_at: disabledAt, last_error: error }) => ({
      id: `webhook ${id}`,
      title: disabledAt === null ? 'A webhook is failing' : 'A webhook was disabled after failures',
      detail: [description ?? url, error].filter(Boolean).join(' · '),
      fix: 'View deliveries',
      href: buildHref(['webhooks', 'deliveries'], { webhook_id: id }),
    }));
}

function listCalendarProblems(calendar: CalendarConnection | null): WorkspaceProblem[] {
  if (calendar === null || !['degraded', 'reconnect_needed'].includes(calendar.health)) return [];
  return [
    {
      id: 'calendar',
      title: 'The calendar connection has a problem',
      detail: calendar.last_error ?? 'Visitors may not be able to book meetings.',
      fix: 'Check the calendar',
      href: buildHref(['bookings', 'calendar']),
    },
  ];
}
