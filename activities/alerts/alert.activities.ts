import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { AlertScheduler } from '../../services/alerts/alert-scheduler.ts';
import { ChannelConcurrency } from '../../services/alerts/messages/channel-concurrency.ts';
import type { MessageSender } from '../../services/alerts/messages/message-sender.ts';
import { findPayerId } from '../../services/requests/payer-queue.ts';
import type { AlertPurge } from '../../services/alerts/alert-purge.ts';
import type { TelegramUpdates } from '../../services/alerts/channels/telegram-updates.ts';
import type { SendAlertInput } from '../../core/workflows/commands.ts';
import { createNoSlotFailure } from '../with-fair-slot.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

const TOO_MANY = { noun: 'messages', type: 'WorkspaceBusy' };

export type AlertActivities = ReturnType<typeof createAlertActivities>;

export interface AlertActivityDeps {
  database: Database;
  alertScheduler: AlertScheduler;
  messageSender: MessageSender;
  alertPurge: AlertPurge;
  telegramUpdates: TelegramUpdates;
  settings: Pick<Settings, 'alertSlots'>;
}

export function createAlertActivities(deps: AlertActivityDeps) {
  const { database: db, alertScheduler, messageSender, alertPurge, telegramUpdates, settings } = deps;
  const channelConcurrency = new ChannelConcurrency(settings);
  return {
    nextAlertStep: ({ orgId, policyId, except }: SendAlertInput & { except: string | null }) =>
      alertScheduler.next({ orgId, db }, policyId, except),
    sendMessage: async ({ orgId, messageId }: SendAlertInput & { messageId: string }) => {
      const attempted = await withHeartbeat(async (signal) => {
        const scope = { orgId, db };
        const attemptMessage = () => messageSender.attempt(scope, messageId, signal);
        const slot = await messageSender.findSlot(scope, messageId);
        return slot
          ? channelConcurrency.run(await findPayerId(scope), slot, attemptMessage, signal)
          : attemptMessage();
      });
      if (attempted === 'out_of_turn') throw createNoSlotFailure(TOO_MANY);
      return attempted;
    },
    giveUpMessage: ({ orgId, messageId }: SendAlertInput & { messageId: string }) =>
      messageSender.cancel({ orgId, db }, messageId),
    /** Deletes the alerts and messages of a deleted alert policy from the log. */
    purgeAlerts: ({ orgId, policyId }: SendAlertInput) =>
      withHeartbeat((signal) => alertPurge.purge({ orgId, db }, policyId, signal)),
    /**
     * Reads and processes new updates (chat messages) of Parley's Telegram bot. The result says whether and
     * when to read again.
     */
    readTelegram: () => withHeartbeat((signal) => telegramUpdates.read(db, signal)),
  };
}
