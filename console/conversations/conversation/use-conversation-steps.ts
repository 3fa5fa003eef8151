import { path } from '../../client/paths.ts';
import type { Conversation, InboxItem } from '../../client/types.ts';
import { toApiError } from '../../client/api-error.ts';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';

export interface ConversationSteps {
  claim(): Promise<void>;
  /** Assigns the conversation to the user, although a colleague handles it. */
  takeOver(): Promise<void>;
  /** @param memberId id of the new assignee; null to let any member take the conversation */
  assign(memberId: string | null): Promise<void>;
  release(): Promise<void>;
  resolve(): Promise<void>;
  reopen(): Promise<void>;
}

export interface StepsOptions {
  /** Called after the conversation's status or assignee has changed, to load the conversation again. */
  onDone(): void;
  /** Called once the user has resolved the conversation or handed it back. */
  onFinished?: (() => void) | undefined;
}

export function useConversationSteps(id: string, { onDone, onFinished }: StepsOptions): ConversationSteps {
  const { client, feed } = useSession();
  const inbox = path`/api/inbox/${id}`;
  const conversation = path`/api/conversations/${id}`;
  const applyItem = async (taking: Promise<InboxItem>): Promise<void> => feed.applyItem(await taking);
  const assignTo = (memberId: string | null): Promise<void> =>
    applyItem(client.post(`${inbox}/assign`, { assigned_to_id: memberId }));
  const claim = (): Promise<void> => applyItem(client.post(`${inbox}/claim`));
  const reopen = async (): Promise<void> => {
    await client.post<Conversation>(`${conversation}/reopen`);
  };
  /**
   * Undoes the user's last step: claims the conversation, assigns it to its previous assignee, and opens it.
   */
  const undo = async (before: InboxItem | undefined): Promise<void> => {
    if (before !== undefined) {
      await claim();
      if (before.assigned_to_id !== feed.state.value.memberId) await assignTo(before.assigned_to_id);
    }
    goTo(buildHref([onFinished === undefined ? 'conversations' : 'inbox', id]));
    onDone();
  };
  /** Runs a step that finishes the user's work on the conversation, and shows a notice with an undo button. */
  const finish = async (
    text: string,
    step: () => Promise<unknown>,
    revert?: () => Promise<void>,
  ): Promise<void> => {
    const before = feed.state.value.entries.get(id)?.item;
    await step();
    if (before !== undefined) feed.removeItem(before);
    onFinished?.();
    onDone();
    const undoAll = async (): Promise<void> => {
      await revert?.();
      await undo(before);
    };
    showConfirmation(text, {
      name: 'Undo',
      run: () => void undoAll().catch((error: unknown) => showError(toApiError(error).message)),
    });
  };
  const runThenReload =
    <A extends unknown[]>(step: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      await step(...args);
      onDone();
    };
  return {
    claim: runThenReload(claim),
    takeOver: runThenReload(() => assignTo('me')),
    assign: runThenReload(assignTo),
    release: () => finish('Handed back to bot', () => client.post(`${inbox}/release`)),
    resolve: () => finish('Conversation resolved', () => client.post(`${conversation}/resolve`), reopen),
    reopen: async () => {
      await reopen();
      showConfirmation('Conversation reopened');
      onDone();
    },
  };
}
