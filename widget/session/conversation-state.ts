import type { ConversationStatus, HandoffState } from './api-client.ts';

/** Status, agent and rating of the conversation. */
export class ConversationState {
  status: ConversationStatus = 'active';
  agentName: string | null = null;
  rating: number | null = null;
  /** Notice for visitors who request a person. */
  handoffNotice: HandoffState['handoff_notice'];

  get isHandoff(): boolean {
    return this.status === 'waiting_human' || this.status === 'human';
  }

  reset(): void {
    Object.assign(this, new ConversationState());
  }

  markEnded(): void {
    this.status = 'ended';
    this.agentName = null;
  }

  /** @returns whether the state has changed; system messages inform the visitor */
  updateHandoff({ status, agent_name: agentName, handoff_notice: handoffNotice }: HandoffState): boolean {
    const isChanged = status !== this.status || agentName !== this.agentName;
    Object.assign(this, { status, agentName, handoffNotice });
    return isChanged;
  }
}
