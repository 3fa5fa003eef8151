import { telegramAccount } from '../../adapters/messaging/telegram-messenger.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { alertWorkflowId, telegramUpdatesId, type SignalCommand } from '../../core/workflows/commands.ts';

type Woken = Pick<AlertPolicy, 'id' | 'orgId' | 'channel'>;

const names = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;

/** Has the policy's workflow look at its queue; it is started where it does not run. */
export function wakeCommand({ id, orgId, channel }: Woken): SignalCommand<'sendAlert'> {
  return {
    workflow: 'sendAlert',
    action: 'signal',
    workflowId: alertWorkflowId(id),
    args: [{ orgId, policyId: id }],
    summary: `Send alerts by ${names[channel]}`,
    signal: 'wake',
    signalArgs: [],
  };
}

/** Has updates of the bot at Telegram read, as long as somebody is expected to open a link. */
export function readUpdatesCommand(token: string): SignalCommand<'receiveTelegram'> {
  return {
    workflow: 'receiveTelegram',
    action: 'signal',
    workflowId: telegramUpdatesId(telegramAccount(token)),
    args: [{}],
    summary: 'Read who has opened a link to the bot',
    signal: 'wake',
    signalArgs: [],
  };
}
