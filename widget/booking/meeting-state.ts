import { ANONYMOUS } from '../anonymous.ts';
import type { Meeting } from './contract.ts';

/**
 * How a meeting stands, as its own page tells it to whoever has its address; `POST` cancels it.
 * @returns null for one that is not there any more
 * @throws Error where nobody tells
 */
export async function fetchMeeting(
  address: Meeting['manage_url'],
  method: 'GET' | 'POST',
): Promise<Pick<Meeting, 'status' | 'start' | 'end'> | null> {
  const token = /\/meetings\/([\w.-]+)$/.exec(address ?? '')?.[1];
  if (token === undefined) throw new Error('The meeting has no page');
  // Beside this script, which the policies of the page allow to be asked.
  const response = await fetch(new URL(`../meetings/${token}`, import.meta.url), {
    ...ANONYMOUS,
    method,
    headers: { Accept: 'application/json' },
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The page of the meeting answered ${response.status}`);
  const { status, start, end } = (await response.json()) as Meeting;
  return { status, start, end };
}
