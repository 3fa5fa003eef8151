import assert from 'node:assert/strict';
import { decideTurns, type TurnOutcome } from '../../services/conversations/answering/decide-turns.ts';
import type { LockedConversation } from '../../repositories/conversations/turn.sql.ts';

const at = new Date('2026-09-03T10:15:30.000Z');
const conversation: LockedConversation = {
  id: 'conversation',
  orgId: 'workspace',
  botId: 'bot',
  status: 'active',
  isInFlow: false,
  monthlyMessageCap: null,
  isPublic: true,
  deletedAt: null,
  botStatus: 'active',
  payerId: 'payer',
  isAccountLocked: true,
};

interface TurnInput {
  conversationId?: string;
  clientId?: string;
  used?: number;
  isKnown?: boolean;
}

/** Quota of messages in the payer’s plan, with the number used; null without a limit. */
type PlanQuota = { limit: number; used: number; creditsLeft?: number } | null;

function judge(
  changes: Partial<LockedConversation>,
  turns: TurnInput[],
  quota: PlanQuota = null,
): TurnOutcome[] {
  const asked = turns.map(({ conversationId = 'conversation', clientId = null }) => ({
    conversationId,
    clientId,
    optionId: null,
    content: 'Hello',
    key: null,
  }));
  const ofPayer = { payerId: 'payer', planTier: 'free' as const, planUsed: 0, creditsLeft: 0 };
  const states = turns.map(({ used = 0, isKnown = false }) => ({
    ...ofPayer,
    used,
    isKnown,
    at,
    day: '2026-09-03',
  }));
  const allowances = new Map(quota ? [['payer', { creditsLeft: 0, ...quota }]] : []);
  const second = { ...conversation, ...changes, id: 'second' };
  const conversations = [{ ...conversation, ...changes }, second];
  return decideTurns(asked, conversations, states, allowances).map(({ outcome }) => outcome);
}

describe('decideTurns', () => {
  const cases: [string, Partial<LockedConversation>, TurnInput[], TurnOutcome[]][] = [
    ['lets the bot answer', {}, [{}], ['answering']],
    ['is silent while the visitor waits for a person', { status: 'waiting_human' }, [{}], ['silent']],
    ['is silent while an agent has the conversation', { status: 'human' }, [{}], ['silent']],
    ['refuses a conversation that has ended', { status: 'ended' }, [{}], ['ended']],
    ['refuses a deleted conversation', {}, [{ conversationId: 'gone' }], ['gone']],
    ['refuses a draft bot', { botStatus: 'draft' }, [{}], ['bot_off']],
    ['refuses a private bot', { isPublic: false }, [{}], ['bot_off']],
    ['refuses a deleted bot', { deletedAt: at }, [{}], ['bot_off']],
    ['refuses a private bot during a handoff too', { status: 'human', isPublic: false }, [{}], ['bot_off']],
    ['answers the last turn of the month’s cap', { monthlyMessageCap: 3 }, [{ used: 2 }], ['answering']],
    ['refuses the first turn beyond the month’s cap', { monthlyMessageCap: 3 }, [{ used: 3 }], ['quota']],
    ['does not count a turn of a handoff', { monthlyMessageCap: 0, status: 'human' }, [{}], ['silent']],
    [
      'counts earlier turns of the same batch, in all conversations of the bot',
      { monthlyMessageCap: 3 },
      [{ used: 1 }, { used: 1, conversationId: 'second' }, { used: 1 }],
      ['answering', 'answering', 'quota'],
    ],
    ['recognizes a stored client id', {}, [{ clientId: 'a', isKnown: true }], ['duplicate']],
    [
      'recognizes a stored client id beyond the month’s cap',
      { monthlyMessageCap: 0 },
      [{ isKnown: true }],
      ['duplicate'],
    ],
    [
      'recognizes a repeated client id in a batch, per conversation, and counts it once',
      { monthlyMessageCap: 2 },
      [{ clientId: 'a' }, { clientId: 'a' }, { clientId: 'a', conversationId: 'second' }],
      ['answering', 'duplicate', 'answering'],
    ],
    [
      'forgets the client id of a refused turn',
      { monthlyMessageCap: 0 },
      [{ clientId: 'a' }, { clientId: 'a' }],
      ['quota', 'quota'],
    ],
  ];
  for (const [title, changes, turns, expected] of cases)
    it(title, () => assert.deepEqual(judge(changes, turns), expected));

  const limited: [string, Partial<LockedConversation>, TurnInput[], PlanQuota, TurnOutcome[]][] = [
    ['answers the last turn of the plan’s quota', {}, [{}], { limit: 3, used: 2 }, ['answering']],
    ['refuses the first turn beyond the plan’s quota', {}, [{}], { limit: 3, used: 3 }, ['quota']],
    ['refuses a turn if usage exceeds a reduced quota', {}, [{}], { limit: 3, used: 9 }, ['quota']],
    ['uses top-ups beyond the quota', {}, [{}], { limit: 3, used: 9, creditsLeft: 1 }, ['answering']],
    [
      'counts the payer’s turns of all bots in the batch, and uses top-ups after the quota',
      {},
      [{}, { conversationId: 'second' }, {}, {}],
      { limit: 3, used: 2, creditsLeft: 2 },
      ['answering', 'answering', 'answering', 'quota'],
    ],
    [
      'refuses a turn beyond the bot’s cap even if the plan has quota left',
      { monthlyMessageCap: 1 },
      [{}, {}],
      { limit: 9, used: 0 },
      ['answering', 'quota'],
    ],
    [
      'does not count a turn that an agent answers',
      { status: 'human' },
      [{}],
      { limit: 0, used: 0 },
      ['silent'],
    ],
    [
      'recognizes a stored client id without any quota left',
      {},
      [{ isKnown: true }],
      { limit: 0, used: 0 },
      ['duplicate'],
    ],
  ];
  for (const [title, changes, turns, quota, expected] of limited)
    it(title, () => assert.deepEqual(judge(changes, turns, quota), expected));
});
