import { path } from '../client/paths.ts';
import type { BotRead, EmbedSnippet } from '../client/types.ts';
import { useLoad, type Loaded } from '../state/use-load.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { CopyField } from '../components/copy-field.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { BotSteps } from './bot-steps.tsx';
import { IdentitySecret } from './identity-secret.tsx';

export function EmbedTab({ botId, bot }: { botId: string; bot: Loaded<BotRead> }) {
  const { client } = useSession();
  const embed = useLoad(
    (signal) => client.get<EmbedSnippet>(path`/api/bots/${botId}/embed`, signal),
    [client, botId],
  );
  return (
    <LoadedView loaded={embed}>
      {(present) => (
        <>
          {bot.data && <NotShownHint bot={bot.data} onChange={bot.set} />}
          <section className="card stack">
            <h2>On your pages</h2>
            <p>Paste this before the end of the body:</p>
            <CopyField label="Snippet" value={present.snippet} />
            {bot.data && isWidgetShown(bot.data) && (
              <p className="hint">{describeDomains(present.allowed_domains)}</p>
            )}
          </section>
          <IdentitySecret botId={botId} embed={present} onChange={embed.reload} />
        </>
      )}
    </LoadedView>
  );
}

function isWidgetShown({ status, is_public: isPublic }: BotRead): boolean {
  return status === 'active' && isPublic;
}

const notActive: Record<Exclude<BotRead['status'], 'active'>, string> = {
  draft: 'The bot is a draft and not active yet',
  paused: 'The bot is paused and not active',
  archived: 'The bot is archived and not active',
};

/** Explains why the widget is not shown on websites, and how to change that. */
function NotShownHint({ bot, onChange }: { bot: BotRead; onChange(bot: BotRead): void }) {
  if (isWidgetShown(bot)) return null;
  const { status } = bot;
  return (
    <section className="card stack" role="status">
      {status !== 'active' && (
        <>
          <p>
            <strong>{notActive[status]}:</strong> pages with the snippet show nothing until it is.
          </p>
          <p className="row">
            <BotSteps bot={bot} to={status === 'archived' ? 'draft' : 'active'} onChange={onChange} />
          </p>
        </>
      )}
      {!bot.is_public && (
        <p>
          <strong>The bot is not public:</strong> pages with the snippet show nothing. Its{' '}
          <a href={buildHref(['bots', bot.id, 'settings'])}>settings</a> say so.
        </p>
      )}
    </section>
  );
}

function describeDomains(domains: string[] | null): string {
  if (domains === null) return 'The widget runs on any host.';
  if (domains.length === 0) return 'No host is allowed yet: name some in the settings.';
  return `The widget runs on ${domains.join(', ')}.`;
}
