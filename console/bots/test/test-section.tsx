import { SegmentedControl } from '@mantine/core';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useStore } from '../../state/use-store.ts';
import { getBotFormKey } from '../studio/use-bot-form.ts';
import { TestSets } from '../test-sets/test-sets.tsx';
import { SearchTest } from './search-test.tsx';
import { TestChat } from './test-chat.tsx';

export interface TestSectionProps {
  botId: string;
  /** Way to test the bot: `search`, `sets` or, by default, the chat. */
  mode: string | undefined;
  /** Query of the URL. */
  query: Readonly<Record<string, string>>;
}

/** Section in which the user tests the bot by a chat, by test sets, or by the search in its knowledge. */
export function TestSection({ botId, mode: requestedMode, query }: TestSectionProps) {
  const mayChat = usePermission()('bots:write', 'member');
  const isChanged = getBotFormKey(botId) in useStore(useSession().forms);
  const defaultMode = mayChat ? 'chat' : 'search';
  const mode = requestedMode === 'search' || requestedMode === 'sets' ? requestedMode : defaultMode;
  return (
    <div className="test-section">
      <SegmentedControl
        className="test-modes"
        aria-label="What to test"
        value={mode}
        data={[
          ...(mayChat ? [{ value: 'chat', label: 'Chat' }] : []),
          { value: 'search', label: 'Search' },
          { value: 'sets', label: 'Test sets' },
        ]}
        onChange={(chosen) =>
          goTo(buildHref(['bots', botId, 'test'], { mode: chosen === 'chat' ? undefined : chosen }))
        }
      />
      {mode === 'chat' && isChanged && (
        <p className="hint">The chat uses the saved settings. Save your changes to test them.</p>
      )}
      {mode === 'chat' && <TestChat botId={botId} />}
      {mode === 'search' && <SearchTest botId={botId} />}
      {mode === 'sets' && <TestSets botId={botId} query={query} />}
    </div>
  );
}
