import { SegmentedControl } from '@mantine/core';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useStore } from '../../state/use-store.ts';
import { getBotFormKey } from '../studio/use-bot-form.ts';
import { SearchTest } from './search-test.tsx';
import { TestChat } from './test-chat.tsx';

export interface TestSectionProps {
  botId: string;
  /** Whether the search in the knowledge is tested in place of the chat. */
  isSearch: boolean;
}

/** Tests the bot by a chat, or the search in its knowledge. */
export function TestSection({ botId, isSearch }: TestSectionProps) {
  const mayChat = usePermission()('bots:write', 'member');
  const isChanged = getBotFormKey(botId) in useStore(useSession().forms);
  const mode = isSearch || !mayChat ? 'search' : 'chat';
  return (
    <div className="test-section">
      {mayChat && (
        <SegmentedControl
          className="test-modes"
          aria-label="What to test"
          value={mode}
          data={[
            { value: 'chat', label: 'Chat' },
            { value: 'search', label: 'Search' },
          ]}
          onChange={(chosen) =>
            goTo(buildHref(['bots', botId, 'test'], { mode: chosen === 'search' ? chosen : undefined }))
          }
        />
      )}
      {mode === 'chat' && isChanged && (
        <p className="hint">The chat uses the saved settings. Save your changes to test them.</p>
      )}
      {mode === 'chat' ? <TestChat botId={botId} /> : <SearchTest botId={botId} />}
    </div>
  );
}
