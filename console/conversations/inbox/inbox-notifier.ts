import { buildHref, goTo } from '../../router.ts';
import { getConversationName } from './conversation-name.ts';
import type { InboxFeed, InboxState } from './inbox-feed.ts';
import { listInboxNews, type InboxNews, type NotificationKind } from './inbox-news.ts';
import type { NotificationSettings } from './notification-settings.ts';
import { playChime } from './play-chime.ts';
import type { ReadMarks } from './read-marks.ts';

export interface NotifierDeps {
  feed: InboxFeed;
  reads: ReadMarks;
  settings: NotificationSettings;
}

const titles: Record<NotificationKind, (name: string) => string> = {
  waiting: (name) => `${name} is waiting`,
  assigned: (name) => `${name} was assigned to you`,
  reply: (name) => `New message from ${name}`,
};

/** Milliseconds before a notification, in which a tab that shows the conversation marks it as read. */
const READ_MS = 400;

/**
 * Notifies the user of changes in the inbox by desktop notifications and a sound. Only the browser tab that
 * holds a lock notifies the user. When this tab closes, another tab gets the lock.
 * @returns function that stops the notifications
 */
export function startNotifier(deps: NotifierDeps): () => void {
  const leaving = new AbortController();
  void navigator.locks
    .request('parley.notifier', { signal: leaving.signal }, () => notifyUntil(deps, leaving.signal))
    .catch(() => undefined);
  return () => leaving.abort();
}

function notifyUntil(deps: NotifierDeps, signal: AbortSignal): Promise<void> {
  const { feed, settings } = deps;
  let before: InboxState = feed.state.value;
  const stop = feed.state.subscribe(() => {
    const after = feed.state.value;
    const { memberId } = after;
    const news =
      before.isLoaded && memberId !== null ? listInboxNews(before.entries, after.entries, memberId) : [];
    before = after;
    for (const each of news.filter(({ kind }) => settings.value[kind]))
      window.setTimeout(() => notify(each, deps), READ_MS);
  });
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => {
      stop();
      resolve();
    }),
  );
}

function notify({ kind, item }: InboxNews, { reads, settings }: NotifierDeps): void {
  const { id, last_message_at: at, last_visitor_message: words, handoff_reason: reason } = item;
  if ((reads.value[id] ?? '') >= (at ?? '') && at !== null) return;
  if (settings.value.sound) playChime();
  if (document.hasFocus() || Notification.permission !== 'granted') return;
  const shown = new Notification(titles[kind](getConversationName(item)), {
    body: words ?? reason ?? '',
    tag: `parley.${id}`,
    icon: '/console/favicon.svg',
  });
  shown.onclick = () => {
    window.focus();
    goTo(buildHref(['inbox', id]));
    shown.close();
  };
}
