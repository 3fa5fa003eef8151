import { path } from '../client/paths.ts';
import type { EmbedSnippet } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { IdentitySecret } from './identity-secret.tsx';

export function EmbedTab({ botId }: { botId: string }) {
  const { client } = useSession();
  const embed = useLoad(
    (signal) => client.get<EmbedSnippet>(path`/api/bots/${botId}/embed`, signal),
    [client, botId],
  );
  return (
    <LoadedView of={embed}>
      {(present) => (
        <>
          <section class="card stack">
            <h2>On your pages</h2>
            <p>Paste this before the end of the body:</p>
            <CopyField label="Snippet" value={present.snippet} />
            <p class="hint">{domainsText(present.allowed_domains)}</p>
          </section>
          <IdentitySecret botId={botId} embed={present} onChange={embed.reload} />
        </>
      )}
    </LoadedView>
  );
}

function domainsText(domains: string[] | null): string {
  if (domains === null) return 'The widget runs on any host.';
  if (domains.length === 0) return 'No host is allowed yet: name some in the settings.';
  return `The widget runs on ${domains.join(', ')}.`;
}
