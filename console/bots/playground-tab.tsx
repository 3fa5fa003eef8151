import { Button } from '@mantine/core';
import { useState } from 'react';
import { describeExcess } from '../client/describe-excess.ts';
import type { PlaygroundAnswer } from '../client/types.ts';
import { Citations } from '../conversations/conversation/citations.tsx';
import { ActionButton } from '../components/action-button.tsx';
import { TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { MarkdownText } from '../components/markdown-text.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
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
    <section className="playground stack" aria-label="Playground">
      <div className="messages" role="log" aria-label="Trial" tabIndex={0}>
        {turns.length === 0 && <p className="empty">Ask what a visitor would. Messages are not stored.</p>}
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} />
        ))}
      </div>
      <Form
        className="reply"
        isReady={isReady}
        onSubmit={() => {
          ask.run(message);
          setMessage('');
        }}
      >
        <TextField label="Message" value={message} onChange={setMessage} hint={excess ?? undefined} />
        <ProblemMessage problem={ask.problem} />
        <div className="row">
          <Button type="submit" aria-disabled={!isReady}>
            {ask.isBusy ? 'Answering …' : 'Ask'}
          </Button>
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
      <div className="message user">
        <p className="message-head">
          <strong>You</strong>
        </p>
        <p className="text" dir="auto">
          {question}
        </p>
      </div>
      <div className="message assistant" aria-busy={answer === null}>
        <p className="message-head">
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
        <p className="problem">
          The model failed: {error.message} ({error.code})
        </p>
      )}
      <Citations text={text} citations={citations} />
      {searchedFor !== null && searchedFor !== question && (
        <p className="hint" dir="auto">
          Searched for: {searchedFor}
        </p>
      )}
      <p className="hint">{facts.filter(Boolean).join(', ')}</p>
    </>
  );
}
