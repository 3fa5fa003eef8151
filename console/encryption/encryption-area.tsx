import { Text } from '@mantine/core';
import { DataTabs } from '../data/data-tabs.tsx';
import { NoSuchPage } from '../no-such-page.tsx';
import { useSession } from '../session/session.tsx';
import { toTeam } from '../team/team.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { EncryptionPage } from './encryption-page.tsx';

export interface EncryptionAreaProps {
  part: string | undefined;
  query: Record<string, string>;
}

export function EncryptionArea({ part }: EncryptionAreaProps) {
  const { me } = useSession();
  if (part !== undefined) return <NoSuchPage />;
  return (
    <Page title="Encryption" tabs={<DataTabs current="encryption" />}>
      <LoadedView loaded={me}>
        {(known) => {
          const team = toTeam(known);
          return team === null ? (
            <Text c="dimmed" ta="center" py="xl">
              No workspace
            </Text>
          ) : (
            <EncryptionPage key={team.id} team={team} />
          );
        }}
      </LoadedView>
    </Page>
  );
}
