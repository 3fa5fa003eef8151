import { Button } from '@mantine/core';
import { useState } from 'react';
import { SwitchField, TextField } from '../../components/forms/fields.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Section } from '../../components/page/section.tsx';
import { parseEntries, type DirectoryEntry } from './directory-draft.ts';
import type { DraftBinding } from './draft-binding.ts';
import { ItemList } from './item-list.tsx';

const MAX_ENTRIES = 500;
const INITIAL_COUNT = 6;

/** Editor of the bot's directory: choices in the widget that lead visitors to a link. */
export function DirectoryFields(binding: DraftBinding) {
  const { draft, text, choice } = binding;
  return (
    <>
      <Section
        title="Directory"
        description="Visitors pick a person or place, and the chat opens the entry's link, such as a booking page."
      >
        <SwitchField label="Show the directory" {...choice('directory_enabled')} />
        {draft.directory_enabled && (
          <div className="field-pair">
            <TextField
              label="Category label"
              hint="Such as Location or Department."
              maxLength={60}
              {...text('directory_category')}
            />
            <TextField
              label="Choice label"
              hint="Label of the button in the chat."
              maxLength={60}
              {...text('directory_choice')}
            />
          </div>
        )}
      </Section>
      <EntryFields {...binding} />
    </>
  );
}

function EntryFields({ draft, change, describeProblem }: DraftBinding) {
  const [showsAll, setShowsAll] = useState(false);
  const entries = parseEntries(draft);
  const shown = showsAll ? entries.length : INITIAL_COUNT;
  return (
    <Section title="Entries" description={formatCount(entries.length, 'entry', 'entries')}>
      <ItemList<DirectoryEntry>
        items={entries}
        shown={shown}
        max={MAX_ENTRIES}
        noun="Entry"
        addLabel="Add entry"
        problem={describeProblem('directory_entries')}
        create={() => {
          setShowsAll(true);
          return { name: '', category: '', link: '' };
        }}
        getName={({ name }) => name}
        onChange={(changed) => change({ directory_entries: JSON.stringify(changed) })}
        renderFields={(entry, changeEntry) => (
          <>
            <TextField
              label="Name"
              value={entry.name}
              maxLength={150}
              isRequired
              onChange={(name) => changeEntry({ name })}
            />
            <TextField
              label="Category"
              value={entry.category ?? ''}
              maxLength={100}
              onChange={(category) => changeEntry({ category })}
            />
          </>
        )}
        renderWideField={(entry, changeEntry) => (
          <TextField
            label="Link"
            value={entry.link ?? ''}
            maxLength={1000}
            onChange={(link) => changeEntry({ link })}
          />
        )}
      >
        {shown < entries.length && (
          <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
            Show all {entries.length}
          </Button>
        )}
      </ItemList>
    </Section>
  );
}
