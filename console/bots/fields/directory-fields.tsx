import { Button } from '@mantine/core';
import { useState } from 'react';
import { SwitchField, TextField } from '../../components/fields.tsx';
import { formatCount } from '../../components/format-count.ts';
import { Section } from '../../components/section.tsx';
import { IconPlus } from '../../shell/icons.ts';
import { parseEntries, type DirectoryEntry } from './directory-draft.ts';
import type { DraftBinding } from './draft-binding.ts';
import { RowTools } from './row-tools.tsx';

const MAX_ENTRIES = 500;
const SHOWN_AT_FIRST = 6;

/** Editor of the directory: choices that lead visitors to a link. */
export function DirectoryFields(binding: DraftBinding) {
  const { draft, text, choice } = binding;
  return (
    <>
      <Section
        title="Directory"
        description="Lets visitors pick a person or place, and opens its link, such as a booking page."
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
              hint="The name of the button in the chat."
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
  const [isWhole, setWhole] = useState(false);
  const entries = parseEntries(draft);
  const changeEntries = (changed: readonly DirectoryEntry[]): void =>
    change({ directory_entries: JSON.stringify(changed) });
  const problem = describeProblem('directory_entries');
  const shown = isWhole ? entries : entries.slice(0, SHOWN_AT_FIRST);
  const isFull = entries.length >= MAX_ENTRIES;
  return (
    <Section title="Entries" description={formatCount(entries.length, 'entry', 'entries')}>
      {entries.length > 0 && (
        <div className="item-rows">
          {shown.map((entry, at) => (
            <div key={at} className="item-row entry" role="group" aria-label={`Entry ${at + 1}`}>
              <TextField
                label="Name"
                value={entry.name}
                maxLength={150}
                isRequired
                onChange={(name) => changeEntries(entries.with(at, { ...entry, name }))}
              />
              <TextField
                label="Category"
                value={entry.category ?? ''}
                maxLength={100}
                onChange={(category) => changeEntries(entries.with(at, { ...entry, category }))}
              />
              <RowTools
                rows={entries}
                at={at}
                about={entry.name || `entry ${at + 1}`}
                onChange={changeEntries}
              />
              <div className="item-row-wide">
                <TextField
                  label="Link"
                  value={entry.link ?? ''}
                  maxLength={1000}
                  onChange={(link) => changeEntries(entries.with(at, { ...entry, link }))}
                />
              </div>
            </div>
          ))}
        </div>
      )}
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div className="button-row">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          aria-disabled={isFull}
          data-inactive={isFull || undefined}
          onClick={() => {
            if (isFull) return;
            setWhole(true);
            changeEntries([...entries, { name: '', category: '', link: '' }]);
          }}
        >
          Add entry
        </Button>
        {shown.length < entries.length && (
          <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
            Show all {entries.length}
          </Button>
        )}
      </div>
    </Section>
  );
}
