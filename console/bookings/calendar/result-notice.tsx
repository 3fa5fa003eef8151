import { Alert } from '@mantine/core';
import { buildHref, goTo } from '../../router.ts';

/** Notices about the outcome of connecting a calendar, by the value in the redirect URL. */
const results: Readonly<Record<string, { isDone: boolean; text: string }>> = {
  connected: {
    isDone: true,
    text: 'Calendar connected. Check the availability below: visitors can book these times now.',
  },
  refused: {
    isDone: false,
    text: 'Calendar not connected: access was declined at the provider, or the link was opened twice. Connect again and allow access.',
  },
  expired: {
    isDone: false,
    text: 'Calendar not connected: the connection took longer than ten minutes. Connect again.',
  },
  scope: {
    isDone: false,
    text: "Calendar not connected: a permission is missing. Connect again and keep all permissions checked. We need them to see when you're busy and to add bookings.",
  },
  browser: {
    isDone: false,
    text: 'Calendar not connected: you started in another browser, or cookies are blocked. Connect again in this browser.',
  },
  unavailable: {
    isDone: false,
    text: "Calendar not connected: the provider didn't respond. Try again in a few minutes.",
  },
};

const UNKNOWN = {
  isDone: false,
  text: 'Something went wrong. Connect the calendar again.',
};

export function ResultNotice({ result }: { result: string | undefined }) {
  if (result === undefined) return null;
  const { isDone, text } = Object.hasOwn(results, result) ? results[result]! : UNKNOWN;
  return (
    <Alert
      color={isDone ? 'green' : 'red'}
      role={isDone ? 'status' : 'alert'}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => goTo(buildHref(['bookings', 'calendar']))}
    >
      {text}
    </Alert>
  );
}
