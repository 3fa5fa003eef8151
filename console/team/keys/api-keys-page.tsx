import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, ApiKeyCreated } from '../../client/types.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { IconApiKey, IconPlus } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { useMembers } from '../members/use-members.ts';
import { TeamFrame } from '../team-frame.tsx';
import type { Team } from '../team.ts';
import { ApiKeyDialogs } from './api-key-dialogs.tsx';
import { ApiKeyTable, type KeyStep } from './api-key-table.tsx';

export function ApiKeysPage({ team }: { team: Team }) {
  const keys = useApi<ApiKey[]>('/api/api-keys');
  const { data: members = [] } = useMembers(team);
  const [step, setStep] = useState<KeyStep | null>(null);
  const [created, setCreated] = useState<ApiKeyCreated | null>(null);
  const createButton = (
    <Button leftSection={<IconPlus />} onClick={() => setStep({ kind: 'create' })}>
      Create API key
    </Button>
  );
  return (
    <TeamFrame team={team} tab="keys" tools={keys.data?.length !== 0 && createButton}>
      <LoadedView loaded={keys}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<IconApiKey size={32} />}
              title="No API keys yet"
              action={
                <>
                  {createButton}
                  <Anchor href="/docs/guides/quickstart-curl" target="_blank">
                    Read the guide
                  </Anchor>
                </>
              }
            >
              Create a key to call the API or connect an AI assistant.
            </EmptyState>
          ) : (
            <ApiKeyTable keys={all} members={members} onStep={setStep} />
          )
        }
      </LoadedView>
      <ApiKeyDialogs
        team={team}
        step={step}
        onCreated={(key) => {
          setCreated(key);
          keys.reload();
        }}
        onRevoked={keys.reload}
        onClose={() => setStep(null)}
      />
      {created !== null && (
        <SecretDialog
          title="API key"
          label="API key"
          secret={created.key}
          purpose={`Send the key “${created.name}” in the Authorization header of your requests.`}
          onClose={() => setCreated(null)}
        />
      )}
    </TeamFrame>
  );
}
