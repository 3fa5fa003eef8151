import { Anchor, Button } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { Bot, BotVersion } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { goTo, buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { SelectField } from '../../components/forms/fields.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Differences } from './differences.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { diffSnapshots, takeSnapshot, type Snapshot } from './diff-snapshots.ts';
import { useVersions, buildVersionsUrl } from './use-versions.ts';

export interface VersionPageProps {
  bot: Bot;
  version: number;
  /** Number of the bot's version to compare with; null to compare with the current bot. */
  other: number | null;
  onRestored(bot: Bot): void;
}

const CURRENT = 'now';

/** Page that shows a version of a bot and its differences from the current bot or another version. */
export function VersionPage({ bot, version, other, onRestored }: VersionPageProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const [isRestoring, setRestoring] = useState(false);
  const url = buildVersionsUrl(bot.id);
  const shown = useApi<BotVersion>(`${url}/${version}`);
  return (
    <div className="studio-column wide">
      <Anchor size="sm" href={buildHref(['bots', bot.id, 'versions'])}>
        ← All versions
      </Anchor>
      <LoadedView loaded={shown}>
        {(loaded) => (
          <>
            <Section
              title={`Version ${version}`}
              tools={
                mayWrite && (
                  <Button variant="default" onClick={() => setRestoring(true)}>
                    Restore version
                  </Button>
                )
              }
            >
              <Facts
                facts={[
                  ['Note', loaded.note],
                  ['By', loaded.author_name],
                  ['Saved', <RelativeTime key="saved" at={loaded.created_at} />],
                ]}
              />
            </Section>
            <Comparison bot={bot} shown={loaded} other={other} />
          </>
        )}
      </LoadedView>
      {isRestoring && (
        <RestoreDialog
          botId={bot.id}
          version={version}
          onRestored={onRestored}
          onClose={() => setRestoring(false)}
        />
      )}
    </div>
  );
}

interface ComparisonProps {
  bot: Bot;
  shown: BotVersion;
  other: number | null;
}

function Comparison({ bot, shown, other }: ComparisonProps) {
  const url = buildVersionsUrl(bot.id);
  const versions = useVersions(bot.id);
  useDidUpdate(versions.reload, [bot.updated_at]);
  const compared = useApi<BotVersion>(other === null ? null : `${url}/${other}`);
  const listed = (versions.data ?? []).map((each) => each.version);
  const others = [...new Set([...listed, ...(other === null ? [] : [other])])]
    .filter((each) => each !== shown.version)
    .toSorted((a, b) => b - a);
  return (
    <>
      <div className="compare-with">
        <SelectField
          label="Compare with"
          value={other === null ? CURRENT : String(other)}
          options={[
            [CURRENT, 'Current'],
            ...others.map((each) => [String(each), `Version ${each}`] as const),
          ]}
          onChange={(chosen) =>
            goTo(
              buildHref(['bots', bot.id, 'versions', String(shown.version)], {
                with: chosen === CURRENT ? undefined : chosen,
              }),
            )
          }
        />
        {versions.hasMore && (
          <Button variant="default" loading={versions.isLoadingMore} onClick={versions.loadMore}>
            Load older versions
          </Button>
        )}
      </div>
      <ProblemMessage problem={versions.problem} onRetry={versions.reload} />
      {other === null ? (
        <VersionDifferences bot={bot} shown={shown} other={null} />
      ) : (
        <LoadedView loaded={compared}>
          {(loaded) => <VersionDifferences bot={bot} shown={shown} other={loaded} />}
        </LoadedView>
      )}
    </>
  );
}

/** Shows the differences between two versions of a bot, from the older to the newer version. */
function VersionDifferences({
  bot,
  shown,
  other,
}: {
  bot: Bot;
  shown: BotVersion;
  other: BotVersion | null;
}) {
  const isOlder = other !== null && other.version < shown.version;
  const [before, after]: [Snapshot, Snapshot] = isOlder
    ? [other.snapshot, shown.snapshot]
    : [shown.snapshot, other?.snapshot ?? takeSnapshot(bot)];
  const differences = useMemo(() => diffSnapshots(before, after), [shown, bot, other]);
  const names: [string, string] = [
    `Version ${isOlder ? other.version : shown.version}`,
    other === null ? 'Current' : `Version ${isOlder ? shown.version : other.version}`,
  ];
  return (
    <Section title={`${names[0]} → ${names[1]}`}>
      {differences.length === 0 ? (
        <p className="hint">No differences</p>
      ) : (
        <Differences differences={differences} names={names} />
      )}
    </Section>
  );
}
