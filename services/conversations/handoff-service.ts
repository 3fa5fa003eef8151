import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import type { HandoffConfig } from '../../core/conversations/handoff-config.ts';
import { isHandoff, type Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import { notifyHandoffWorkflowId } from '../../core/workflows/commands.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { EventData } from '../webhooks/event-catalog.ts';
import { computeAvailability } from './handoff-hours.ts';
import { conversationEndedError } from './session-errors.ts';

export interface HandoffRequest {
  requestedBy: EventData['handoff.requested']['requested_by'];
  /** Reason that the visitor gave for the handoff; blank text is treated as null. */
  reason: string | null;
}

export interface HandoffServiceDeps {
  conversations: ScopedRepository<Conversation>;
  bots: BotRepository;
  messages: MessageRepository;
  outbox: OutboxService;
  clock: Clock;
}

/** Requests that a member of the team takes over a conversation. Members then claim it in the inbox. */
export class HandoffService {
  readonly #deps: HandoffServiceDeps;

  constructor(deps: HandoffServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Adds the conversation to the inbox, emits one event and informs the team by one email. Has no effect if
   * the conversation is in the inbox already.
   * @throws AppError `not_found` or `forbidden`; `handoff_disabled`, also outside the bot's opening hours;
   *   `conflict` if the conversation has ended
   */
  async request(scope: OrgScope, conversationId: string, request: HandoffRequest): Promise<void> {
    const reason = request.reason !== null && isVisible(request.reason) ? request.reason : null;
    await inTransaction(scope, async (tx) => {
      const { bots, conversations, messages, outbox } = this.#deps;
      const { id, orgId, botId, status } = await conversations.lock(tx, conversationId);
      if (isHandoff(status)) return;
      if (status === 'ended') throw conversationEndedError();
      const bot = await bots.get(tx, botId);
      if (!bot.handoffEnabled) {
        throw new AppError('handoff_disabled', 'This bot does not support handoff to a person.');
      }
      this.#requireAvailableTeam(bot.handoffConfig);
      await conversations.update(tx, id, {
        status: 'waiting_human',
        isResolved: false,
        handoffReason: reason,
        handoffRequestedAt: () => 'now()',
        assignedToId: null,
        assignedAt: null,
      });
      const { requestedBy: requested_by } = request;
      const note = { kind: 'handoff_requested', requested_by } as const;
      await messages.insertSystemMessages(tx, [id], note, { words: reason ?? '' });
      const event = { conversation_id: id, bot_id: botId, reason, requested_by };
      await outbox.event(tx, 'handoff.requested', event, botId);
      await outbox.command(tx, {
        workflow: 'notifyHandoff',
        action: 'start',
        workflowId: notifyHandoffWorkflowId(id, newId()),
        args: [{ orgId, botId, conversationId: id }],
        summary: 'Email the team that a visitor is waiting for a person',
      });
    });
  }

  #requireAvailableTeam(config: HandoffConfig | null): void {
    if (config?.accepts_when_closed !== false) return;
    const { isOpen, opensAt } = computeAvailability(config.hours, this.#deps.clock.now());
    if (isOpen) return;
    const untilOpening = opensAt === null ? '' : ` until ${opensAt.toISOString()}`;
    throw new AppError('handoff_disabled', `No agent is available${untilOpening}; the bot continues.`);
  }
}
