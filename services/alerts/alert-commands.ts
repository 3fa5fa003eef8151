import { digestTelegramToken } from '../../adapters/messaging/telegram-messenger.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { alertWorkflowId, telegramUpdatesId, type SignalCommand } from '../../core/workflows/commands.ts';

type WakeTarget = Pick<AlertPolicy, 'id' | 'orgId' | 'channel'>;

const channelNames = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;

/**
 * Returns the command that makes an alert policy's workflow read its queue of messages. Starts the workflow
 * if it is not running.
 */
export function createWakeCommand({ id, orgId, channel }: WakeTarget): SignalCommand<'sendAlert'> {
  return {
    workflow: 'sendAlert',
    action: 'signal',
    workflowId: alertWorkflowId(id),
    args: [{ orgId, policyId: id }],
    summary: `Send alerts by ${channelNames[channel]}`,
    signal: 'wake',
    signalArgs: [],
  };
}

/**
 * Returns the command that starts reading the updates of the installation's Telegram bot. The workflow reads
 * while a connection link is pending.
 */
export function createReadUpdatesCommand(token: string): SignalCommand<'receiveTelegram'> {
  return {
    workflow: 'receiveTelegram',
    action: 'signal',
    workflowId: telegramUpdatesId(digestTelegramToken(token)),
    args: [{}],
    summary: 'Poll Telegram for opened links',
    signal: 'wake',
    signalArgs: [],
  };
}
