import type { Connection } from './inbox-feed.ts';

const words: Record<Connection, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  reconnecting: 'Connection lost, reconnecting …',
  refused: 'No live updates',
};

export function ConnectionState({ connection }: { connection: Connection }) {
  return (
    <span className={`connection ${connection}`} role="status">
      {words[connection]}
    </span>
  );
}
