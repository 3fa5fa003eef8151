import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { AlertTurns } from '../../services/alerts/alert-turns.ts';
import { MessagePlaces } from '../../services/alerts/message-places.ts';
import type { MessageSender } from '../../services/alerts/message-sender.ts';
import type { AlertPurge } from '../../services/alerts/alert-purge.ts';
import type { TelegramUpdates } from '../../services/alerts/telegram-updates.ts';
import type { SendAlertInput } from '../../workflows/shared/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

const LONGEST_PAUSE_SECONDS = 30;

export type AlertActivities = ReturnType<typeof createAlertActivities>;

export interface AlertActivityDeps {
  database: Database;
  alertTurns: AlertTurns;
  messageSender: MessageSender;
  alertPurge: AlertPurge;
  telegramUpdates: TelegramUpdates;
  settings: Pick<Settings, 'alertPlaces'>;
}

export function createAlertActivities(deps: AlertActivityDeps) {
  const { database: db, alertTurns, messageSender, alertPurge, telegramUpdates, settings } = deps;
  const places = new MessagePlaces(settings);
  return {
    nextAlertStep: ({ orgId, policyId, except }: SendAlertInput & { except: string | null }) =>
      alertTurns.next({ orgId, db }, policyId, except),
    sendMessage: async ({ orgId, messageId }: SendAlertInput & { messageId: string }) => {
      const attempted = await withHeartbeat(async (signal) => {
        const scope = { orgId, db };
        const attempt = () => messageSender.attempt(scope, messageId, signal);
        const awaited = await messageSender.findAwaited(scope, messageId);
        return awaited ? places.run(orgId, awaited, attempt, signal) : attempt();
      });
      if (attempted === 'out_of_turn') throw outOfTurn(activityInfo().attempt);
      return attempted;
    },
    giveUpMessage: ({ orgId, messageId }: SendAlertInput & { messageId: string }) =>
      messageSender.giveUp({ orgId, db }, messageId),
    /** What a policy that was deleted leaves behind. */
    purgeAlerts: ({ orgId, policyId }: SendAlertInput) =>
      withHeartbeat((signal) => alertPurge.purge({ orgId, db }, policyId, signal)),
    /** Returns whether anybody is still expected. */
    readTelegram: () => withHeartbeat((signal) => telegramUpdates.read(db, signal)),
  };
}

/** Makes room for other workspaces at once; those who wait ask rarely, and not all at the same time. */
function outOfTurn(attempt: number): ApplicationFailure {
  const seconds = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS) * (0.5 + Math.random());
  return ApplicationFailure.create({
    message: 'Many other messages of this workspace are under way; waiting for some of them to end.',
    type: 'WorkspaceBusy',
    category: 'BENIGN',
    nextRetryDelay: Math.round(seconds * 1000),
  });
}
