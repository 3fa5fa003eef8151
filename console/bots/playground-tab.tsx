import { useState } from 'preact/hooks';
import { describeExcess } from '../client/describe-excess.ts';
import type { PlaygroundAnswer } from '../client/types.ts';
import { Citations } from '../conversations/conversation/citations.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { MarkdownText } from '../ui/markdown-text.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { usePlayground, type Turn } from './use-playground.ts';

/** Chat with the saved bot for tests. The server does not store the messages. */
export function PlaygroundTab({ botId }: { botId: string }) {
  const [message, setMessage] = useState('');
  const { turns, ask, restart } = usePlayground(botId, (question) =>
    setMessage((typed) => typed || question),
  );
  const excess = describeExcess(message);
  const isReady = !ask.isBusy && excess === null && message.trim() !== '';
  return (
    <section class="playground stack" aria-label="Playground">
      <div class="messages" role="log" aria-label="Trial" tabIndex={0}>
        {turns.length === 0 && <p class="empty">Ask what a visitor would. Messages are not stored.</p>}
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} />
        ))}
      </div>
      <Form
        class="reply"
        isReady={isReady}
        onSubmit={() => {
          ask.run(message);
          setMessage('');
        }}
      >
        <TextField label="Message" value={message} onChange={setMessage} hint={excess ?? undefined} />
        <ProblemMessage problem={ask.problem} />
        <div class="row">
          <button class="primary" type="submit" aria-disabled={!isReady}>
            {ask.isBusy ? 'Answering …' : 'Ask'}
          </button>
          <ActionButton isDisabled={ask.isBusy} onAction={async () => restart()}>
            Begin anew
          </ActionButton>
        </div>
      </Form>
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
        <p class="text" dir="auto">
          {question}
        </p>
      </div>
      <div class="message assistant" aria-busy={answer === null}>
        <p class="message-head">
          <strong>Bot</strong>
        </p>
        <MarkdownText text={text} isGrowing={answer === null} citations={answer?.citations ?? []} />
        {answer !== null && <AnswerFacts question={question} text={text} answer={answer} />}
      </div>
    </>
  );
}

function AnswerFacts({
  question,
  text,
  answer,
}: {
  question: string;
  text: string;
  answer: PlaygroundAnswer;
}) {
  const { citations, model, error } = answer;
  const { latency_ms: latencyMs, output_tokens: tokens, cost_usd: cost, searched_for: searchedFor } = answer;
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
      <Citations text={text} citations={citations} />
      {searchedFor !== null && searchedFor !== question && (
        <p class="hint" dir="auto">
          Searched for: {searchedFor}
        </p>
      )}
      <p class="hint">{facts.filter(Boolean).join(', ')}</p>
    </>
  );
}
