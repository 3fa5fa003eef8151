import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { FLOW_TURN, WRITE_SESSIONS, type FlowTurnRow } from './flow-session.sql.ts';

export type WrittenSession = Omit<FlowSession, 'createdAt' | 'updatedAt'>;

/** Where conversations stand in flows; a conversation has one session at most. */
export class FlowSessionRepository {
  /** What an answer in the making goes on from; null where that is gone. */
  async findTurn({ db, orgId }: OrgScope, answerId: string): Promise<FlowTurnRow | null> {
    const [row = null] = await db.run(FLOW_TURN, [answerId, orgId]);
    return row;
  }

  /** The one that waits for an answer with a limit of time. */
  findWaiting({ db, orgId }: OrgScope, conversationId: string, waitId: string): Promise<FlowSession | null> {
    return db.repository(FlowSession).findOneBy({ orgId, conversationId, waitId, status: 'waiting' });
  }

  /** The one that waits for its visitor. */
  findOfConversation({ db, orgId }: OrgScope, conversationId: string): Promise<FlowSession | null> {
    return db.repository(FlowSession).findOneBy({ orgId, conversationId, status: 'waiting' });
  }

  async endWait({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(FlowSession).update({ orgId, conversationId }, { waitId: null });
  }

  /** Of conversations that are locked. They go out with COMMIT. */
  write(db: Database, sessions: readonly WrittenSession[]): void {
    if (sessions.length === 0) return;
    const column = <K extends keyof WrittenSession>(key: K) => sessions.map((session) => session[key]);
    db.runWithCommit(WRITE_SESSIONS, [
      column('conversationId'),
      column('orgId'),
      column('flowId'),
      column('revision'),
      column('status'),
      column('nodeId'),
      column('awaiting').map((awaiting) => awaiting && JSON.stringify(awaiting)),
      column('sealedState'),
      column('steps'),
      column('waitId'),
      column('failure'),
    ]);
  }
}
