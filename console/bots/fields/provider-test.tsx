import { Tooltip } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { ProviderTestResult } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { Status } from '../../components/lists/status.tsx';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';

/** Button that sends one short request to the bot's saved model, with the result. */
export function ProviderTest({ botId }: { botId: string }) {
  const { client } = useSession();
  const mayWrite = usePermission()('bots:write', 'member');
  const [result, setResult] = useState<ProviderTestResult | null>(null);
  if (!mayWrite) return null;
  return (
    <div className="provider-test">
      <span aria-live="polite">{result && <ResultView {...result} />}</span>
      <ActionButton
        size="xs"
        onAction={async () => {
          setResult(null);
          setResult(await client.post<ProviderTestResult>(path`/api/bots/${botId}/provider/test`));
        }}
      >
        Test connection
      </ActionButton>
    </div>
  );
}

function ResultView({ ok, model, latency_ms: latencyMs, error }: ProviderTestResult) {
  if (!ok) return <Status tone="bad">{error ?? "The model didn't respond."}</Status>;
  return (
    <Tooltip label={`${model ?? 'Model'} · ${latencyMs ?? 0} ms`}>
      <span>
        <Status tone="good">Connected</Status>
      </span>
    </Tooltip>
  );
}
