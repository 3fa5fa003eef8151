import type { SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

/** Builds a session of a bot that can hand over to the team, and the path of its inbox item. */
export async function startActive(parley: SharedParley) {
  const session = await buildSession(parley, { handoff_enabled: true });
  return {
    ...session,
    id: session.session.session_id,
    item: `/api/inbox/${session.session.session_id}` as const,
  };
}

/** Builds an active session whose visitor has requested a team member. */
export async function startWaiting(parley: SharedParley) {
  const session = await startActive(parley);
  await session.visitor.post(`${session.path}/handoff`, { reason: 'My order is lost.' });
  return session;
}

export const changeConversation = ({ database }: SharedParley, id: string, changes: string) =>
  database.sql(`UPDATE conversations SET ${changes} WHERE id = $1`, [id]);
