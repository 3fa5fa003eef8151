import { ANONYMOUS } from '../anonymous.ts';
import type { Meeting } from './contract.ts';

/**
 * Reads the state of a meeting from the meeting's page on the server; with `POST`, cancels the meeting. The
 * page's URL contains the token that authorizes this.
 * @returns null if the meeting no longer exists
 * @throws Error if the page cannot be read
 */
export async function fetchMeeting(
  pageUrl: Meeting['manage_url'],
  method: 'GET' | 'POST',
): Promise<Pick<Meeting, 'status' | 'start' | 'end'> | null> {
  const token = /\/meetings\/([\w.-]+)$/.exec(pageUrl ?? '')?.[1];
  if (token === undefined) throw new Error('The meeting has no page');
  // Build the URL from this script's own URL: the website's Content-Security-Policy allows requests to it.
  const response = await fetch(new URL(`../meetings/${token}`, import.meta.url), {
    ...ANONYMOUS,
    method,
    headers: { Accept: 'application/json' },
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The page of the meeting responded with ${response.status}`);
  const { status, start, end } = (await response.json()) as Meeting;
  return { status, start, end };
}
