import type { ConversationStatus, HandoffState } from './api-client.ts';

/** Status and rating of the conversation, and the agent who answers in it. */
export class ConversationState {
  status: ConversationStatus = 'active';
  agentName: string | null = null;
  rating: number | null = null;
  /** True once the visitor has rated the conversation in this tab. The API may then still return the former rating. */
  isRatedHere = false;
  /** Notice for visitors who request or wait for an agent, such as the opening hours. */
  handoff_notice: HandoffState['handoff_notice'];
  queue_position: HandoffState['queue_position'];

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

  /**
   * Stores the state of the handoff to an agent.
   * @returns whether the status or the agent has changed
   */
  updateHandoff({ status, agent_name: agentName, handoff_notice, queue_position }: HandoffState): boolean {
    const isChanged = status !== this.status || agentName !== this.agentName;
    Object.assign(this, { status, agentName, handoff_notice, queue_position });
    return isChanged;
  }
}
