import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { path } from '../../client/paths.ts';
import type { PlaygroundResult } from '../../client/types.ts';
import { markTested } from '../../home/tested-workspaces.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';

export interface Turn {
  question: string;
  /** Text of the bot's answer so far. */
  text: string;
  /** Complete answer of the bot; null while it streams. */
  answer: PlaygroundResult | null;
}

export interface Playground {
  turns: readonly Turn[];
  ask: Action<[question: string]>;
  restart(): void;
}

/** Maximum number of question-and-answer pairs sent as history: the API accepts 50 messages, two per pair. */
const MAX_TURNS = 25;

/**
 * Chats with the bot.
 * @param onFailed called with the question of a failed request, whose turn is removed
 */
export function usePlayground(botId: string, onFailed: (question: string) => void): Playground {
  const { client, me } = useSession();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const ask = useAction(async (question: string) => {
    let turn: Turn = { question, text: '', answer: null };
    setTurns([...turns, turn]);
    try {
      for await (const { event, data } of client.stream(path`/api/bots/${botId}/playground`, {
        method: 'POST',
        body: { message: question, history: toHistory(turns) },
        signal: leaving.current.signal,
      })) {
        turn = applyEvent(turn, event, data);
        setTurns([...turns, turn]);
      }
      if (turn.answer === null) throw new ApiError('The answer was interrupted. Ask again.', { code: 'cut' });
      const orgId = me.data?.organization?.id;
      if (orgId !== undefined) markTested(orgId);
    } catch (error) {
      setTurns(turns);
      onFailed(question);
      if (!leaving.current.signal.aborted) throw error;
    }
  });
  return { turns, ask, restart: () => setTurns([]) };
}

function applyEvent(turn: Turn, event: string, data: string): Turn {
  if (event === 'delta') return { ...turn, text: turn.text + (JSON.parse(data) as { text: string }).text };
  if (event !== 'done') return turn;
  const { reply } = JSON.parse(data) as { reply: PlaygroundResult };
  return { ...turn, text: reply.content, answer: reply };
}

function toHistory(turns: readonly Turn[]) {
  return turns
    .slice(-MAX_TURNS)
    .flatMap(({ question, text }) => [
      { role: 'user', content: question },
      ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ]);
}
