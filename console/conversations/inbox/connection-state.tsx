import type { Connection } from './inbox-feed.ts';

const words: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  refused: 'No live updates',
};

export function ConnectionState({ connection }: { connection: Connection }) {
  return (
    <span className="connection" data-state={connection} role="status">
      {words[connection]}
    </span>
  );
}
