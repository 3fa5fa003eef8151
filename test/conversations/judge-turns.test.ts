import assert from 'node:assert/strict';
import { judgeTurns, type TurnOutcome } from '../../services/conversations/answering/judge-turns.ts';
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

interface Asked {
  conversationId?: string;
  clientId?: string;
  used?: number;
  isKnown?: boolean;
}

/** What the plan of the payer has left. */
type Room = { limit: number; used: number; creditsLeft?: number } | null;

function outcomes(changes: Partial<LockedConversation>, turns: Asked[], room: Room = null): TurnOutcome[] {
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
  const rooms = new Map(room ? [['payer', { creditsLeft: 0, ...room }]] : []);
  const second = { ...conversation, ...changes, id: 'second' };
  const conversations = [{ ...conversation, ...changes }, second];
  return judgeTurns(asked, conversations, states, rooms).map(({ outcome }) => outcome);
}

describe('judgeTurns', () => {
  const cases: [string, Partial<LockedConversation>, Asked[], TurnOutcome[]][] = [
    ['has the bot answer', {}, [{}], ['answering']],
    ['is silent where somebody waits for a person', { status: 'waiting_human' }, [{}], ['silent']],
    ['is silent where a person answers', { status: 'human' }, [{}], ['silent']],
    ['refuses a conversation that has ended', { status: 'ended' }, [{}], ['ended']],
    ['refuses one that is gone', {}, [{ conversationId: 'gone' }], ['gone']],
    ['refuses a bot that is a draft', { botStatus: 'draft' }, [{}], ['bot_off']],
    ['refuses a bot that is not public', { isPublic: false }, [{}], ['bot_off']],
    ['refuses a bot that was deleted', { deletedAt: at }, [{}], ['bot_off']],
    ['refuses a bot that is off in a handoff, too', { status: 'human', isPublic: false }, [{}], ['bot_off']],
    ['answers the last turn of a month', { monthlyMessageCap: 3 }, [{ used: 2 }], ['answering']],
    ['refuses the turn after it', { monthlyMessageCap: 3 }, [{ used: 3 }], ['quota']],
    ['counts no turn of a handoff', { monthlyMessageCap: 0, status: 'human' }, [{}], ['silent']],
    [
      'counts the turns before it of the same batch, in whichever conversation of the bot',
      { monthlyMessageCap: 3 },
      [{ used: 1 }, { used: 1, conversationId: 'second' }, { used: 1 }],
      ['answering', 'answering', 'quota'],
    ],
    ['knows a client id that is stored', {}, [{ clientId: 'a', isKnown: true }], ['duplicate']],
    ['knows one after the month is used up', { monthlyMessageCap: 0 }, [{ isKnown: true }], ['duplicate']],
    [
      'knows a client id of the same batch, of the same conversation alone, and counts it once',
      { monthlyMessageCap: 2 },
      [{ clientId: 'a' }, { clientId: 'a' }, { clientId: 'a', conversationId: 'second' }],
      ['answering', 'duplicate', 'answering'],
    ],
    [
      'does not know a client id whose turn was refused',
      { monthlyMessageCap: 0 },
      [{ clientId: 'a' }, { clientId: 'a' }],
      ['quota', 'quota'],
    ],
  ];
  for (const [title, changes, turns, expected] of cases)
    it(title, () => assert.deepEqual(outcomes(changes, turns), expected));

  const limited: [string, Partial<LockedConversation>, Asked[], Room, TurnOutcome[]][] = [
    ['answers the last turn of a plan', {}, [{}], { limit: 3, used: 2 }, ['answering']],
    ['refuses the turn after it', {}, [{}], { limit: 3, used: 3 }, ['quota']],
    ['refuses where more was used than the plan has now', {}, [{}], { limit: 3, used: 9 }, ['quota']],
    ['has top-ups pay for it', {}, [{}], { limit: 3, used: 9, creditsLeft: 1 }, ['answering']],
    [
      'counts the turns of all bots and conversations of the payer in the batch, and top-ups after the plan',
      {},
      [{}, { conversationId: 'second' }, {}, {}],
      { limit: 3, used: 2, creditsLeft: 2 },
      ['answering', 'answering', 'answering', 'quota'],
    ],
    [
      'refuses at the cap of the bot what the plan has left',
      { monthlyMessageCap: 1 },
      [{}, {}],
      { limit: 9, used: 0 },
      ['answering', 'quota'],
    ],
    ['counts no turn that a person answers', { status: 'human' }, [{}], { limit: 0, used: 0 }, ['silent']],
    ['knows a client id when nothing is left', {}, [{ isKnown: true }], { limit: 0, used: 0 }, ['duplicate']],
  ];
  for (const [title, changes, turns, room, expected] of limited)
    it(title, () => assert.deepEqual(outcomes(changes, turns, room), expected));
});
