import { ConversationView } from './conversation/conversation-view.tsx';
import { buildHref } from '../router.ts';
import { Page } from '../components/page.tsx';

export function ConversationPage({ id }: { id: string }) {
  return (
    <Page title="Conversation">
      <ConversationView id={id} backHref={buildHref(['conversations'])} />
    </Page>
  );
}
