/**
 * How long after signing in a person may give lasting access or take content out as a whole, in seconds: long enough to finish
 * what they signed in for, too short for a session that was left open.
 */
export const FRESH_PROOF_SECONDS = 10 * 60;
