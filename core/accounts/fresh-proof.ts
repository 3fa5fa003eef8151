/**
 * Seconds after a sign-in in which the session may grant lasting access or export content. Long enough to
 * finish a task, and too short to misuse a session that the user left open.
 */
export const FRESH_PROOF_SECONDS = 10 * 60;
