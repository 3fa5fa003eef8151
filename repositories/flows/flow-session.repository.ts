import { openRow, requireContent, sealRowWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { FLOW_TURN, WRITE_SESSIONS, type FlowTurnRow } from './flow-session.sql.ts';

export type WrittenSession = Omit<Opened<FlowSession>, 'keyId' | 'createdAt' | 'updatedAt'>;

/** Starting state of a turn in a flow, decrypted. */
export type OpenedFlowTurn = Omit<FlowTurnRow, 'session'> & {
  session: Opened<NonNullable<FlowTurnRow['session']>> | null;
};

/** A session with its key for encryption; null for plain text. */
type SessionWithKey = WrittenSession & { key: ContentKey | null };

const content = requireContent(FlowSession);

/** Positions of conversations in flows. Each conversation has at most one session. */
export class FlowSessionRepository {
  /** Returns the session that an unfinished answer continues; null if the answer was deleted. */
  async findTurn({ db, orgId }: OrgScope, answerId: string): Promise<OpenedFlowTurn | null> {
    const [row = null] = await db.run(FLOW_TURN, [answerId, orgId]);
    return row && { ...row, session: row.session && (await openRow(db, FlowSession, row.session)) };
  }

  /** Returns the session that waits for the visitor with this timeout. */
  findWaiting({ db, orgId }: OrgScope, conversationId: string, waitId: string): Promise<FlowSession | null> {
    return db.repository(FlowSession).findOneBy({ orgId, conversationId, waitId, status: 'waiting' });
  }

  /** Returns the session that waits for the visitor. */
  async findByConversation(
    { db, orgId }: OrgScope,
    conversationId: string,
  ): Promise<Opened<FlowSession> | null> {
    const found = await db.repository(FlowSession).findOneBy({ orgId, conversationId, status: 'waiting' });
    return found && openRow(db, FlowSession, found);
  }

  async endWait({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(FlowSession).update({ orgId, conversationId }, { waitId: null });
  }

  /** Writes sessions of locked conversations, with COMMIT. */
  write(db: Database, sessions: readonly SessionWithKey[]): void {
    if (sessions.length === 0) return;
    const stored = sessions.map(({ key, ...session }) => sealRowWith(content, key, session));
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
