import { buildHref } from '../../router.ts';

/** Notices about the outcome of connecting a calendar, by the value in the redirect URL. */
const results: Readonly<Record<string, { isDone: boolean; text: string }>> = {
  connected: {
    isDone: true,
    text: 'The calendar is connected. Look at the settings below: times are offered by them from now on.',
  },
  refused: {
    isDone: false,
    text: 'The calendar is not connected: access was declined at the provider’s page, or the way back was opened a second time. Connect it again, and allow it there.',
  },
  expired: {
    isDone: false,
    text: 'The calendar is not connected: this took longer than ten minutes. Connect it again.',
  },
  scope: {
    isDone: false,
    text: 'The calendar is not connected: something that Parley needs was not allowed. Connect it again, and leave everything ticked: without it, Parley cannot see when you are busy, or cannot write bookings.',
  },
  browser: {
    isDone: false,
    text: 'The calendar is not connected: it was begun in another browser, or with cookies blocked. Connect it again, from beginning to end in this browser.',
  },
  unavailable: {
    isDone: false,
    text: 'The calendar is not connected: the provider did not respond. Nothing is lost; try again in a few minutes.',
  },
};

const UNKNOWN = {
  isDone: false,
  text: 'Something went wrong while the calendar was being connected. Connect it again.',
};

export function ResultNotice({ result }: { result: string | undefined }) {
  if (result === undefined) return null;
  const { isDone, text } = Object.hasOwn(results, result) ? results[result]! : UNKNOWN;
  return (
    <div className={isDone ? 'notice' : 'problem'} role={isDone ? 'status' : 'alert'}>
      <p>{text}</p>
      <p>
        <a href={buildHref(['bookings', 'calendar'])}>Dismiss</a>
      </p>
    </div>
  );
}
