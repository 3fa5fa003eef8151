import { openContent, requireContent, sealedWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { FLOW_TURN, WRITE_SESSIONS, type FlowTurnRow } from './flow-session.sql.ts';

export type WrittenSession = Omit<FlowSession, 'keyId' | 'createdAt' | 'updatedAt'>;

/** And what it is sealed with; null where it stays readable. */
type SessionToWrite = WrittenSession & { key: ContentKey | null };

const content = requireContent(FlowSession);

/** Where conversations stand in flows; a conversation has one session at most. */
export class FlowSessionRepository {
  /** What an answer in the making goes on from; null where that is gone. */
  async findTurn({ db, orgId }: OrgScope, answerId: string): Promise<FlowTurnRow | null> {
    const [row = null] = await db.run(FLOW_TURN, [answerId, orgId]);
    if (row?.session) await openContent(db, FlowSession, [row.session]);
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
  write(db: Database, sessions: readonly SessionToWrite[]): void {
    if (sessions.length === 0) return;
    const stored = sessions.map(({ key, ...session }) => sealedWith(content, key, session));
    const column = <K extends keyof (typeof stored)[number]>(name: K) => stored.map((row) => row[name]);
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
      column('keyId'),
    ]);
  }
}
