import type { RowChanges } from '../../database/scoped.repository.ts';
import { isHandoff, type Conversation } from '../../entities/conversations/conversation.entity.ts';

/** Actions that members can apply to one or many conversations. */
export const conversationActions = ['resolve', 'reopen', 'delete'] as const;
export type ConversationAction = (typeof conversationActions)[number];

export type ConversationChange = Exclude<ConversationAction, 'delete'>;

type State = Pick<Conversation, 'status' | 'isResolved'>;

export interface ChangeRule {
  /** Column values of a conversation that the action sets. */
  changes: RowChanges<Conversation>;
  /** Returns true if the action returns a conversation in this state to its bot. */
  returnsToBot(state: State): boolean;
  /**
   * Returns true if the action changes a conversation in this state. A note about the action is then added to
   * the conversation.
   */
  changesState(state: State): boolean;
}

export const changeRules: Record<ConversationChange, ChangeRule> = {
  resolve: {
    changes: {
      isResolved: true,
      handoffRequestedAt: null,
      handoffReason: null,
      assignedToId: null,
      assignedAt: null,
    },
    returnsToBot: ({ status }) => isHandoff(status),
    changesState: ({ status, isResolved }) => !isResolved || isHandoff(status),
  },
  reopen: {
    changes: { isResolved: false, endedAt: null, reopenedAt: () => 'now()' },
    returnsToBot: ({ status }) => status === 'ended',
    changesState: ({ status, isResolved }) => isResolved || status === 'ended',
  },
};
