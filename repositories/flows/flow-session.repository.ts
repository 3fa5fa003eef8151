import { decryptRow, requireContent, sealRowWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';
import { FLOW_TURN, WRITE_SESSIONS, type FlowTurnRow } from './flow-session.sql.ts';

export type WrittenSession = Omit<Opened<FlowSession>, 'keyId' | 'createdAt' | 'updatedAt'>;

/** State of a conversation's flow before the visitor's message is processed, decrypted. */
export type OpenedFlowTurn = Omit<FlowTurnRow, 'session'> & {
  session: Opened<NonNullable<FlowTurnRow['session']>> | null;
};

/** A flow session to write, with the data key that encrypts the session; null to store plain text. */
type SessionWithKey = WrittenSession & { key: ContentKey | null };

const content = requireContent(FlowSession);

/**
 * Reads and writes flow sessions: the position of a conversation in a flow. A conversation has at most one
 * flow session.
 */
export class FlowSessionRepository {
  /**
   * Returns the flow session that an unfinished answer of the bot continues; null if the answer was deleted.
   */
  async findTurn({ db, orgId }: OrgScope, answerId: string): Promise<OpenedFlowTurn | null> {
    const [row = null] = await db.run(FLOW_TURN, [answerId, orgId]);
    return row && { ...row, session: row.session && (await decryptRow(db, FlowSession, row.session)) };
  }

  /**
   * Returns the conversation's flow session if it waits for the visitor and its current wait has this id; null
   * if not.
   */
  findWaiting({ db, orgId }: OrgScope, conversationId: string, waitId: string): Promise<FlowSession | null> {
    return db.repository(FlowSession).findOneBy({ orgId, conversationId, waitId, status: 'waiting' });
  }

  /** Returns the conversation's flow session if it waits for the visitor; null if not. */
  async findByConversation(
    { db, orgId }: OrgScope,
    conversationId: string,
  ): Promise<Opened<FlowSession> | null> {
    const found = await db.repository(FlowSession).findOneBy({ orgId, conversationId, status: 'waiting' });
    return found && decryptRow(db, FlowSession, found);
  }

  /** Returns whether any conversation of the bot waits in a flow. */
  isAnyWaiting({ db, orgId }: OrgScope, botId: string): Promise<boolean> {
    return db
      .repository(FlowSession)
      .createQueryBuilder('session')
      .innerJoin(Flow, 'flow', 'flow.id = session.flowId AND flow.botId = :botId', { botId })
      .where("session.orgId = :orgId AND session.status = 'waiting'", { orgId })
      .getExists();
  }

  async endWait({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(FlowSession).update({ orgId, conversationId }, { waitId: null });
  }

  /**
   * Writes the flow sessions of locked conversations. The statement is sent in the same round trip as COMMIT.
   */
  write(db: Database, sessions: readonly SessionWithKey[]): void {
    if (sessions.length === 0) return;
    const stored = sessions.map(({ key, ...session }) => sealRowWith(content, key, session));
    const pluck = <K extends keyof (typeof stored)[number]>(name: K) => stored.map((row) => row[name]);
    db.runWithCommit(WRITE_SESSIONS, [
      pluck('conversationId'),
      pluck('orgId'),
      pluck('flowId'),
      pluck('revision'),
      pluck('status'),
      pluck('nodeId'),
      pluck('awaiting').map((awaiting) => awaiting && JSON.stringify(awaiting)),
      pluck('sealedState'),
      pluck('steps'),
      pluck('waitId'),
      pluck('failure'),
      pluck('keyId'),
    ]);
  }
}
