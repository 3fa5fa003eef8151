import { MultiSelect } from '@mantine/core';
import { SwitchField, TextArea } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { useColleagues } from '../../conversations/conversation/use-colleagues.ts';
import { english } from '../../../widget/texts.ts';
import { BusinessHours } from './business-hours.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { formatDayHours, defaultHours } from './handoff-draft.ts';

/** Fields for handoffs: messages to visitors, business hours and members to notify. */
export function HandoffFields(binding: DraftBinding) {
  const { draft, text, choice } = binding;
  return (
    <>
      <Section title="Handoff" description="Visitors can ask for your team when the bot can't help.">
        <SwitchField
          label="Allow handoff to a human"
          hint="Requests appear in the inbox. The bot stays quiet until your team hands the conversation back."
          {...choice('handoff_enabled')}
        />
        {draft.handoff_enabled && (
          <>
            <TextArea
              label="Waiting message"
              hint="Leave blank to use the default, in the visitor's language."
              placeholder={english.waiting}
              rows={2}
              maxLength={500}
              {...text('handoff_waiting')}
            />
            <NotifyField {...binding} />
          </>
        )}
      </Section>
      {draft.handoff_enabled && <HoursSection {...binding} />}
    </>
  );
}

function HoursSection({ draft, text, choice, change, describeProblem }: DraftBinding) {
  const hasHours = draft.handoff_hours !== '';
  return (
    <Section title="Business hours" description="When your team answers visitors.">
      <SwitchField
        label="Limit handoff to business hours"
        hint={hasHours ? undefined : 'When off, your team is available 24/7.'}
        isChecked={hasHours}
        onChange={(isOn) => change({ handoff_hours: isOn ? formatDayHours(defaultHours) : '' })}
      />
      {hasHours && (
        <>
          <BusinessHours
            value={draft.handoff_hours}
            problem={describeProblem('handoff_hours')}
            onChange={(hours) => change({ handoff_hours: hours })}
          />
          <ZoneField label="Time zone" isRequired {...text('handoff_timezone')} />
          <SwitchField
            label="Accept handoff requests outside business hours"
            hint="Requests wait in the inbox until your team is back."
            {...choice('handoff_accepts')}
          />
          <TextArea
            label="Out-of-office message"
            hint="The widget also shows when your team will be back."
            rows={2}
            maxLength={500}
            {...text('handoff_closed')}
          />
        </>
      )}
    </Section>
  );
}

function NotifyField({ draft, change }: DraftBinding) {
  const colleagues = useColleagues();
  const notified = draft.handoff_notify.split('\n').filter(Boolean);
  const others = notified.filter((name) => !colleagues.has(name));
  return (
    <MultiSelect
      label="Notify by email"
      description="By default, we email everyone who can reply. To email only some people, choose them here."
      placeholder={notified.length === 0 ? 'Everyone who can reply' : ''}
      data={[
        ...[...colleagues].map(([id, name]) => ({ value: id, label: name })),
        ...others.map((name) => ({ value: name, label: name })),
      ]}
      value={notified}
      searchable
      clearable
      nothingFoundMessage="No one found"
      onChange={(names) => change({ handoff_notify: names.join('\n') })}
    />
  );
}
