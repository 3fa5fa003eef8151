import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import { path } from '../client/paths.ts';
import type { PlaygroundAnswer } from '../client/types.ts';
import { Citations } from '../conversation/citations.tsx';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { LinkedText } from '../ui/linked-text.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';

interface Turn {
  question: string;
  /** As far as it has come. */
  text: string;
  /** Null while it is being made. */
  answer: PlaygroundAnswer | null;
}

/** The API takes as many earlier messages: two a turn. */
const MOST_TURNS = 25;

/** Talks to the bot as it is saved; nothing is kept. */
export function PlaygroundTab({ botId }: { botId: string }) {
  const { client } = useSession();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [message, setMessage] = useState('');
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const ask = useAction(async () => {
    const asked = turns;
    const show = (turn: Turn) => setTurns([...asked, turn]);
    let turn: Turn = { question: message, text: '', answer: null };
    show(turn);
    setMessage('');
    try {
      for await (const { event, data } of client.stream(path`/api/bots/${botId}/playground`, {
        method: 'POST',
        body: { message, history: historyOf(asked) },
        signal: leaving.current.signal,
      })) {
        turn = turnAfter(turn, event, data);
        show(turn);
      }
      if (turn.answer === null) throw new ApiError('The answer broke off. Ask again.', { code: 'cut' });
    } catch (error) {
      setTurns(asked);
      setMessage((typed) => typed || turn.question);
      if (!leaving.current.signal.aborted) throw error;
    }
  });
  return (
    <section class="playground stack" aria-label="Playground">
      <div class="messages" role="log" aria-label="Trial" tabIndex={0}>
        {turns.length === 0 && <p class="empty">Ask what a visitor would. Nothing is kept.</p>}
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} />
        ))}
      </div>
      <form
        class="reply"
        onSubmit={(event) => {
          event.preventDefault();
          ask.run();
        }}
      >
        <label for="playground-message">Message</label>
        <input
          id="playground-message"
          value={message}
          maxLength={20000}
          autocomplete="off"
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        <ProblemMessage problem={ask.problem} />
        <div class="row">
          <button class="primary" type="submit" disabled={ask.isBusy || message.trim() === ''}>
            {ask.isBusy ? 'Answering …' : 'Ask'}
          </button>
          <button type="button" disabled={ask.isBusy} onClick={() => setTurns([])}>
            Begin anew
          </button>
        </div>
      </form>
    </section>
  );
}

function TurnView({ turn: { question, text, answer } }: { turn: Turn }) {
  return (
    <>
      <div class="message user">
        <p class="message-head">
          <strong>You</strong>
        </p>
        <p class="text">{question}</p>
      </div>
      <div class="message assistant" aria-busy={answer === null}>
        <p class="message-head">
          <strong>Bot</strong>
        </p>
        <LinkedText text={text} />
        {answer !== null && <AnswerFacts answer={answer} />}
      </div>
    </>
  );
}

function AnswerFacts({ answer }: { answer: PlaygroundAnswer }) {
  const { citations, model, latency_ms: latencyMs, output_tokens: tokens, cost_usd: cost, error } = answer;
  const facts = [
    model ?? 'no model was asked',
    `${latencyMs} ms`,
    tokens !== null && `${tokens} tokens`,
    cost !== null && `$${cost.toFixed(5)}`,
  ];
  return (
    <>
      {error !== null && (
        <p class="problem">
          The model failed: {error.message} ({error.code})
        </p>
      )}
      <Citations citations={citations} />
      <p class="hint">{facts.filter(Boolean).join(', ')}</p>
    </>
  );
}

function turnAfter(turn: Turn, event: string, data: string): Turn {
  if (event === 'delta') return { ...turn, text: turn.text + (JSON.parse(data) as { text: string }).text };
  if (event !== 'done') return turn;
  const { reply } = JSON.parse(data) as { reply: PlaygroundAnswer };
  return { ...turn, text: reply.content, answer: reply };
}

function historyOf(turns: readonly Turn[]) {
  return turns
    .slice(-MOST_TURNS)
    .flatMap(({ question, text }) => [
      { role: 'user', content: question },
      ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ]);
}
