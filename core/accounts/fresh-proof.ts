/**
 * How long after signing in a session may grant lasting access or export content, in seconds. Long enough to
 * finish a task, too short for a session that the user forgot to end.
 */
export const FRESH_PROOF_SECONDS = 10 * 60;
