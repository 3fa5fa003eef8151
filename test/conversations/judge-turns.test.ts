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
};

interface Asked {
  conversationId?: string;
  clientId?: string;
  used?: number;
  isKnown?: boolean;
}

function outcomes(changes: Partial<LockedConversation>, turns: Asked[]): TurnOutcome[] {
  const asked = turns.map(({ conversationId = 'conversation', clientId = null }) => ({
    conversationId,
    clientId,
    optionId: null,
    content: 'Hello',
  }));
  const states = turns.map(({ used = 0, isKnown = false }) => ({ used, isKnown, at }));
  const second = { ...conversation, ...changes, id: 'second' };
  return judgeTurns(asked, [{ ...conversation, ...changes }, second], states).map(({ outcome }) => outcome);
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
});
