import { PageTitle } from '../components/page/page.tsx';
import { buildHref } from '../router.ts';
import { ConversationView } from './conversation/conversation-view.tsx';

export function ConversationPage({ id }: { id: string }) {
  return (
    <div className="inbox" data-detail data-single>
      <PageTitle className="unseen">Conversation</PageTitle>
      <ConversationView id={id} backHref={buildHref(['conversations'])} />
    </div>
  );
}
