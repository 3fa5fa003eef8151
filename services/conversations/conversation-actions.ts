import type { RowChanges } from '../../database/scoped.repository.ts';
import { isHandoff, type Conversation } from '../../entities/conversations/conversation.entity.ts';

/** What the team does with conversations, be it one or many. */
export const conversationActions = ['resolve', 'reopen', 'delete'] as const;
export type ConversationAction = (typeof conversationActions)[number];

export type ConversationChange = Exclude<ConversationAction, 'delete'>;

type State = Pick<Conversation, 'status' | 'isResolved'>;

export interface ChangeRule {
  /** What becomes of every conversation. */
  changes: RowChanges<Conversation>;
  /** Whether it is the bot's again. */
  givesBack(state: State): boolean;
  /** Whether its state is another one afterwards, which its history tells. */
  isNews(state: State): boolean;
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
    givesBack: ({ status }) => isHandoff(status),
    isNews: ({ status, isResolved }) => !isResolved || isHandoff(status),
  },
  reopen: {
    changes: { isResolved: false, endedAt: null, reopenedAt: () => 'now()' },
    givesBack: ({ status }) => status === 'ended',
    isNews: ({ status, isResolved }) => isResolved || status === 'ended',
  },
};
