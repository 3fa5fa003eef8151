import { fill, type Texts } from '../texts.ts';
import type { ConversationStatus, WidgetSession } from './api-client.ts';

/** Who has the conversation, and how the visitor liked it. */
export class ConversationState {
  status: ConversationStatus = 'active';
  agentName: string | null = null;
  rating: number | null = null;

  get isHandoff(): boolean {
    return this.status === 'waiting_human' || this.status === 'human';
  }

  begin(): void {
    Object.assign(this, new ConversationState());
  }

  end(): void {
    this.status = 'ended';
    this.agentName = null;
  }

  /** @returns what the visitor is told of it: null for nothing any more, undefined where it is no news */
  handOver(
    { status, agent_name: agentName }: Pick<WidgetSession, 'status' | 'agent_name'>,
    texts: Texts,
  ): string | null | undefined {
    const isNews = status !== this.status || agentName !== this.agentName;
    const isReleased = this.isHandoff && status === 'active';
    this.status = status;
    this.agentName = agentName;
    if (!isNews) return undefined;
    if (status === 'waiting_human') return texts.waiting;
    if (status === 'human') return agentName ? fill(texts.joined, { name: agentName }) : texts.joinedNobody;
    return isReleased ? texts.released : null;
  }
}
