import { Alert, Text } from '@mantine/core';
import type { UsageSummary } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { limitNames, type LimitName } from './limit-uses.ts';

/** Explains what stops when each limit of a plan is reached, and how to continue without a larger plan. */
const consequences: Readonly<Record<LimitName, string>> = {
  messages_per_month: 'Bots stop answering until the month ends (UTC). Buy a top-up to continue.',
  documents: 'To add more documents, delete existing ones.',
  bots: "You've reached your bot limit. Archive or delete a bot to add more.",
  seats: "To invite more members, revoke an invitation or change a member's role to viewer.",
  alerts_per_month: 'Alerts are queued. They are sent as a summary once the limit allows it.',
};

/** Explains which limits of the plan are reached, and what to do. Renders nothing if no limit is reached. */
export function ExceededLimits({ usage }: { usage: UsageSummary }) {
  const may = usePermission();
  if (usage.exceeded.length === 0) return null;
  return (
    <Alert color="red" role="status">
      {usage.exceeded.map((limit) => (
        <Text key={limit}>
          <strong>{limitNames[limit]}:</strong> {consequences[limit]}
        </Text>
      ))}
      <Text>
        An owner of the paying workspace can upgrade the plan
        {usage.exceeded.includes('messages_per_month') && ' or buy a message top-up'}.{' '}
        {may('billing:read', 'admin') && <a href={buildHref(['billing'])}>View plans</a>}
      </Text>
    </Alert>
  );
}
