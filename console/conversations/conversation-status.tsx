import type { Conversation } from '../client/types.ts';
import { Status, type Tone } from '../components/lists/status.tsx';

type State = Pick<Conversation, 'status' | 'resolved'>;

export const statusWords: Record<Conversation['status'], readonly [Tone, string]> = {
  active: ['quiet', 'With bot'],
  waiting_human: ['bad', 'Waiting'],
  human: ['busy', 'Assigned'],
  ended: ['quiet', 'Ended'],
};

/** Shows the status of a conversation. “Resolved” replaces every other status. */
export function ConversationStatus({ status, resolved }: State) {
  const [tone, name] = resolved === true ? (['good', 'Resolved'] as const) : statusWords[status];
  return <Status tone={tone}>{name}</Status>;
}
