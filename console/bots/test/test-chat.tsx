import { ActionIcon, Button, Textarea, UnstyledButton } from '@mantine/core';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { describeExcess } from '../../client/describe-excess.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { MarkdownText } from '../../components/text/markdown-text.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { IconRefresh, IconSend } from '../../shell/icons.ts';
import { IconTest } from '../icons.ts';
import { Inspector } from './inspector.tsx';
import { usePlayground, type Turn } from './use-playground.ts';

/**
 * Chat in which the user tests the saved bot, with an inspector of its answers. The server does not store the
 * messages.
 */
export function TestChat({ botId }: { botId: string }) {
  const [message, setMessage] = useState('');
  const [selected, select] = useState<number | null>(null);
  const { turns, ask, restart } = usePlayground(botId, (question) =>
    setMessage((typed) => typed || question),
  );
  const excess = describeExcess(message);
  const isReady = !ask.isBusy && excess === null && message.trim() !== '';
  const log = useFollowingScroll(turns);
  const send = (): void => {
    if (!isReady) return;
    select(null);
    ask.run(message);
    setMessage('');
  };
  const sendOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const shown = selected ?? turns.length - 1;
  return (
    <div className="test-panes">
      <section className="test-chat" aria-label="Test chat">
        <header className="test-head">
          <h2>Chat</h2>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} />}
            aria-disabled={ask.isBusy || turns.length === 0}
            data-inactive={ask.isBusy || turns.length === 0 || undefined}
            onClick={() => {
              if (ask.isBusy) return;
              restart();
              select(null);
            }}
          >
            Reset chat
          </Button>
        </header>
        <div ref={log} className="test-log" role="log" aria-label="Messages" tabIndex={0}>
          {turns.length === 0 && (
            <EmptyState icon={<IconTest size={32} />} title="Try your bot">
              Conversations here aren't saved.
            </EmptyState>
          )}
          {turns.map((turn, index) => (
            <TurnView
              key={index}
              turn={turn}
              isSelected={turns.length > 1 && index === shown}
              onSelect={() => select(index)}
            />
          ))}
        </div>
        <form
          className="test-composer"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <ProblemMessage problem={ask.problem} />
          <div className="test-composer-row">
            <Textarea
              aria-label="Message"
              placeholder="Ask what a visitor would…"
              autosize
              minRows={1}
              maxRows={6}
              dir="auto"
              value={message}
              error={excess}
              onChange={({ currentTarget }) => setMessage(currentTarget.value)}
              onKeyDown={sendOnEnter}
            />
            <ActionIcon
              type="submit"
              size={36}
              aria-label="Send"
              aria-disabled={!isReady}
              data-inactive={!isReady || undefined}
            >
              <IconSend />
            </ActionIcon>
          </div>
        </form>
      </section>
      <Inspector turn={turns[shown]} botId={botId} />
    </div>
  );
}

interface TurnViewProps {
  turn: Turn;
  isSelected: boolean;
  onSelect(): void;
}

function TurnView({ turn: { question, text, answer }, isSelected, onSelect }: TurnViewProps) {
  return (
    <>
      <div className="test-bubble visitor" dir="auto">
        <span className="unseen">You: </span>
        {question}
      </div>
      <div className="test-bubble bot" aria-busy={answer === null} data-selected={isSelected || undefined}>
        <span className="unseen">Bot: </span>
        {text === '' && answer === null ? (
          <span className="typing" role="status" aria-label="Typing">
            <i />
            <i />
            <i />
          </span>
        ) : (
          <MarkdownText text={text} isGrowing={answer === null} citations={answer?.citations ?? []} />
        )}
        {answer !== null && (
          <UnstyledButton className="inspect-link" onClick={onSelect}>
            Inspect
          </UnstyledButton>
        )}
      </div>
    </>
  );
}

/** Scrolls the test chat to its end whenever a message arrives or grows. */
function useFollowingScroll(turns: readonly Turn[]) {
  const log = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = log;
    if (current) current.scrollTop = current.scrollHeight;
  }, [turns]);
  return log;
}
