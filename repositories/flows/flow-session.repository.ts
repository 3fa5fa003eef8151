import { openRow, requireContent, sealedWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { FLOW_TURN, WRITE_SESSIONS, type FlowTurnRow } from './flow-session.sql.ts';

export type WrittenSession = Omit<Opened<FlowSession>, 'keyId' | 'createdAt' | 'updatedAt'>;

/** What a turn of a flow begins with. */
export type OpenedFlowTurn = Omit<FlowTurnRow, 'session'> & {
  session: Opened<NonNullable<FlowTurnRow['session']>> | null;
};

/** And what it is sealed with; null where it stays readable. */
type SessionToWrite = WrittenSession & { key: ContentKey | null };

const content = requireContent(FlowSession);

/** Where conversations stand in flows; a conversation has one session at most. */
export class FlowSessionRepository {
  /** What an answer in the making goes on from; null where that is gone. */
  async findTurn({ db, orgId }: OrgScope, answerId: string): Promise<OpenedFlowTurn | null> {
    const [row = null] = await db.run(FLOW_TURN, [answerId, orgId]);
    return row && { ...row, session: row.session && (await openRow(db, FlowSession, row.session)) };
  }

  /** The one that waits for an answer with a limit of time. */
  findWaiting({ db, orgId }: OrgScope, conversationId: string, waitId: string): Promise<FlowSession | null> {
    return db.repository(FlowSession).findOneBy({ orgId, conversationId, waitId, status: 'waiting' });
  }

  /** The one that waits for its visitor. */
  async findOfConversation(
    { db, orgId }: OrgScope,
    conversationId: string,
  ): Promise<Opened<FlowSession> | null> {
    const found = await db.repository(FlowSession).findOneBy({ orgId, conversationId, status: 'waiting' });
    return found && openRow(db, FlowSession, found);
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
