import { useColleagues } from '../conversations/conversation/use-colleagues.ts';
import { CheckboxField, TextArea, TextField } from '../components/fields.tsx';
import type { DraftBinding } from './bot-fields.tsx';

/** Fields for handoffs: messages to visitors, opening hours and members to notify. */
export function HandoffFields({ draft, text, choice, change }: DraftBinding) {
  const colleagues = useColleagues();
  const notified = new Set(draft.handoff_notify.split('\n').filter(Boolean));
  const others = [...notified].filter((name) => !colleagues.has(name));
  const toggle = (name: string): void => {
    const changed = new Set(notified);
    if (!changed.delete(name)) changed.add(name);
    change({ handoff_notify: [...changed].join('\n') });
  };
  return (
    <>
      <TextArea
        label="While a visitor waits for a person"
        hint="Shown in place of the widget’s own words."
        rows={2}
        maxLength={500}
        {...text('handoff_waiting')}
      />
      <TextArea
        label="Hours in which people answer"
        hint="One period a line, such as mon-fri 09:00-17:00; always when empty."
        rows={3}
        {...text('handoff_hours')}
      />
      {draft.handoff_hours.trim() !== '' && (
        <>
          <TextField
            label="Time zone of these hours"
            hint="Such as Europe/Berlin."
            maxLength={64}
            {...text('handoff_timezone')}
          />
          <TextArea
            label="Outside these hours"
            hint="The widget says besides when people are back, and whether the request is taken."
            rows={2}
            maxLength={500}
            {...text('handoff_closed')}
          />
          <CheckboxField label="Take requests outside these hours, too" {...choice('handoff_accepts')} />
        </>
      )}
      <fieldset>
        <legend>Mail when a visitor waits</legend>
        <p className="hint">All members who may answer visitors, unless some are chosen.</p>
        {[...colleagues, ...others.map((name) => [name, name] as const)].map(([id, name]) => (
          <CheckboxField key={id} label={name} isChecked={notified.has(id)} onChange={() => toggle(id)} />
        ))}
      </fieldset>
    </>
  );
}
