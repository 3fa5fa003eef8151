import { useEffect, useRef } from 'react';
import type { AnswerPart, PreviewTurn } from '../../../widget/preview/mount-preview.ts';
import { path } from '../../client/paths.ts';
import type { Bot, BotUpdate, PlaygroundResult } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';

const MAX_HISTORY = 50;
const NO_PERMISSION = 'To get answers in the preview, you need permission to change bots.';

/**
 * Returns a function that answers questions in the preview of the widget, with the bot's unsaved changes. The
 * server does not store the conversation.
 */
export function usePreviewAnswer(bot: Bot, changes: BotUpdate) {
  const { client } = useSession();
  const mayAsk = usePermission()('bots:write', 'member');
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  return async function* answer(
    question: string,
    history: readonly PreviewTurn[],
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPart> {
    if (!mayAsk) return yield { content: NO_PERMISSION, citations: [] };
    const events = client.stream(path`/api/bots/${bot.id}/playground`, {
      method: 'POST',
      body: { message: question, history: history.slice(-MAX_HISTORY), config: latest.current },
      signal,
    });
    for await (const { event, data } of events) {
      if (event === 'delta') yield JSON.parse(data) as AnswerPart;
      if (event !== 'done') continue;
      const { reply } = JSON.parse(data) as { reply: PlaygroundResult };
      yield { content: reply.content, citations: reply.citations };
    }
  };
}
