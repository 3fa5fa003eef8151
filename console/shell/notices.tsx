import { Button, CloseButton } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from '../state/use-store.ts';
import { dismissNotice, followPages, notices, type Notice } from '../components/page/notices.ts';
import { IconAlert, IconCheck } from './notice-icons.ts';

/**
 * Shows all notices to the user. Confirmations float over the page for some seconds; errors appear at its
 * top, where they do not cover anything.
 */
export function Notices() {
  const shown = useStore(notices);
  useEffect(followPages, []);
  return (
    <>
      <div className="toasts" role="status" aria-live="polite">
        {shown
          .filter(({ isProblem }) => !isProblem)
          .map((notice) => (
            <Toast key={notice.id} {...notice} />
          ))}
      </div>
      <div className="problem-bar">
        {shown
          .filter(({ isProblem }) => isProblem)
          .map((notice) => (
            <Toast key={notice.id} {...notice} />
          ))}
      </div>
    </>
  );
}

function Toast({ id, text, isProblem, action }: Notice) {
  return (
    <div className="toast" data-problem={isProblem || undefined} role={isProblem ? 'alert' : undefined}>
      {isProblem ? <IconAlert /> : <IconCheck />}
      <span>{text}</span>
      {action !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.name}
        </Button>
      )}
      <CloseButton aria-label="Dismiss" size="sm" onClick={() => dismissNotice(id)} />
    </div>
  );
}
