/**
 * How long after signing in a session may grant lasting access or export content, in seconds. It is long enough to
 * finish the task at hand, and too short for a session that was left open.
 */
export const FRESH_PROOF_SECONDS = 10 * 60;
