import type { BotRead, BotVersion } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/loaded-view.tsx';
import { ShowMore } from '../../components/more-button.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Table } from '../../components/table.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { RestoreButton } from './restore-button.tsx';
import { SaveVersion } from './save-version.tsx';
import { useVersions } from './use-versions.ts';

export interface VersionsTabProps {
  botId: string;
  /** Called with the bot after a version was restored. */
  onRestored(bot: BotRead): void;
}

/** Lists the versions of a bot, which the user can view and restore. */
export function VersionsTab({ botId, onRestored }: VersionsTabProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const versions = useVersions(botId);
  const { more, reload } = versions;
  const handleRestored = (bot: BotRead): void => {
    onRestored(bot);
    reload();
  };
  return (
    <>
      {mayWrite && <SaveVersion botId={botId} onSaved={reload} />}
      <LoadedView loaded={versions}>
        {({ versions: shown, hasMore }) => (
          <>
            {shown.length === 0 ? (
              <p className="empty">
                There are no versions yet.
                {mayWrite && ' Save one now, or tick “Keep a version” where you save the settings.'}
              </p>
            ) : (
              <VersionTable botId={botId} versions={shown} onRestored={handleRestored} />
            )}
            <ProblemMessage problem={more.problem} />
            {hasMore && (
              <div className="more">
                <ShowMore more={more} />
              </div>
            )}
          </>
        )}
      </LoadedView>
    </>
  );
}

interface VersionTableProps extends VersionsTabProps {
  versions: readonly BotVersion[];
}

function VersionTable({ botId, versions, onRestored }: VersionTableProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  return (
    <Table columns={['Version', 'Note', 'By', 'When']} hasActions={mayWrite}>
      {versions.map(({ version, note, author_name: author, created_at: at }) => (
        <tr key={version}>
          <td>
            <a href={buildHref(['bots', botId, 'versions', String(version)])}>Version {version}</a>
          </td>
          <td className="wide" dir="auto">
            {note ?? <span className="hint">–</span>}
          </td>
          <td>{author ?? <span className="hint">–</span>}</td>
          <td>
            <TimeText at={at} />
          </td>
          {mayWrite && (
            <td>
              <div className="row end">
                <RestoreButton botId={botId} version={version} onRestored={onRestored} />
              </div>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
