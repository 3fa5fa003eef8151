import { Button } from '@mantine/core';
import { useId } from 'react';
import { Form } from '../../../components/forms/form.tsx';
import { PersonAvatar } from '../../../components/person-avatar.tsx';
import { ProblemMessage } from '../../../components/page/problem-message.tsx';
import { useSession } from '../../../session/session.tsx';
import { useAction } from '../../../state/use-action.ts';
import { useStore } from '../../../state/use-store.ts';
import { SuggestionField, type SuggestionProps } from './suggestion-field.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import { useColleagues } from '../use-colleagues.ts';
import { useNoteSteps } from '../use-notes.ts';

/** Maximum number of a note's characters. */
const MAX_LENGTH = 4000;

/** Form for a note that only the team sees. An @ lists the members whom the note may mention. */
export function NoteForm({ id, isFocused }: { id: string; isFocused: boolean }) {
  const { drafts } = useSession();
  const hintId = useId();
  const colleagues = useColleagues();
  const { addNote } = useNoteSteps(id);
  const draft = drafts.getOrCreate(id).note;
  const text = useStore(draft);
  const excess = text.trim().length - MAX_LENGTH;
  const isReady = text.trim() !== '' && excess <= 0;
  const add = useAction(async () => {
    const noteText = draft.value;
    const mentions = [...colleagues]
      .filter(([, name]) => noteText.includes(`@${name}`))
      .map(([each]) => each);
    await addNote(noteText.trim(), mentions);
    if (draft.value === noteText) draft.set('');
  });
  const submit = (): void => {
    if (isReady) add.run();
  };
  return (
    <Form className="composer-form" onSubmit={submit}>
      <SuggestionField
        label="Note"
        placeholder="Write a note for your team. Type @ to mention someone."
        trigger="@"
        text={text}
        hintId={hintId}
        isFocused={isFocused}
        shortcut="n"
        onChange={(next) => draft.set(next)}
        onSubmit={submit}
        renderSuggestions={(props) => <MentionMenu {...props} colleagues={colleagues} />}
      />
      <ProblemMessage problem={add.problem} />
      <div className="composer-foot">
        <span className="composer-hint" id={hintId}>
          {excess > 0 ? `${excess} characters too many` : 'Only your team sees notes.'}
        </span>
        <Button
          type="submit"
          size="xs"
          aria-disabled={!isReady || add.isBusy}
          data-inactive={!isReady || add.isBusy || undefined}
        >
          Add note
        </Button>
      </div>
    </Form>
  );
}

function MentionMenu({
  colleagues,
  ...props
}: SuggestionProps & { colleagues: ReadonlyMap<string, string> }) {
  const query = props.query.toLowerCase();
  const suggestions = [...colleagues]
    .filter(([, name]) => name.toLowerCase().includes(query))
    .map(([id, name]) => ({
      id,
      name,
      text: `@${name} `,
      icon: <PersonAvatar name={name} size={20} />,
    }));
  // Show no list of members: the user types an email address or a time, not a name.
  if (suggestions.length === 0) return null;
  return <SuggestionList {...props} label="Members" suggestions={suggestions} empty="No results" />;
}
