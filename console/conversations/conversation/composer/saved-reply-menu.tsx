import { Button } from '@mantine/core';
import { withQuery } from '../../../client/paths.ts';
import type { Page, SavedReply } from '../../../client/types.ts';
import { useApi } from '../../../state/use-api.ts';
import { useDebounced } from '../../../state/use-debounced.ts';
import { savedRepliesDialog } from './saved-replies-dialog.tsx';
import type { SuggestionProps } from './suggestion-field.tsx';
import { SuggestionList } from './suggestion-list.tsx';

const SHOWN = 20;
const PAUSE_MS = 120;

/** Lists the saved replies whose name or text contains what the user has typed after the slash. */
export function SavedReplyMenu(props: SuggestionProps) {
  const query = useDebounced(props.query.trim(), PAUSE_MS);
  const { data } = useApi<Page<SavedReply>>(
    withQuery('/api/ext/saved-replies', { q: query, page_size: SHOWN }),
    { keepsPrevious: true },
  );
  const suggestions = (data?.items ?? []).map(({ id, name, text }) => ({ id, name, detail: text, text }));
  return (
    <SuggestionList
      {...props}
      label="Saved replies"
      suggestions={suggestions}
      empty={
        data === undefined
          ? 'Loading…'
          : query === ''
            ? 'No saved replies yet'
            : 'No results. Press Escape to keep the text.'
      }
    >
      <div className="suggestion-foot">
        {suggestions.length > 0 && <span>↑↓ to choose · Enter to insert</span>}
        <Button
          variant="subtle"
          size="compact-xs"
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ currentTarget }) => {
            // Focus the text area first: the dialog returns the focus to the text area, because this button
            // is removed.
            currentTarget.closest('.suggestion-field')?.querySelector('textarea')?.focus();
            savedRepliesDialog.set(true);
          }}
        >
          Manage saved replies
        </Button>
      </div>
    </SuggestionList>
  );
}
