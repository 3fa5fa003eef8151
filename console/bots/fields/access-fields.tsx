import { SwitchField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import type { DraftBinding } from './draft-binding.ts';

/** Fields for the websites that may embed the bot, and for the bot's limits. */
export function AccessFields({ draft, text, choice }: DraftBinding) {
  return (
    <Section
      title="Access and limits"
      description="Where the widget works, and how much visitors may use it."
    >
      <SwitchField
        label="Publicly available"
        hint="When off, pages with the snippet show nothing."
        {...choice('is_public')}
      />
      <SwitchField
        label="Restrict to allowed domains"
        hint="When off, all domains are allowed, and emails with replies don't link to the visitor's page."
        {...choice('isLimitedToDomains')}
      />
      {draft.isLimitedToDomains && (
        <TextArea
          label="Allowed domains"
          hint="One domain per line, e.g. example.com or *.example.com."
          {...text('allowed_domains')}
        />
      )}
      <div className="field-pair">
        <TextField
          label="Rate limit"
          hint="Messages per minute"
          type="number"
          min={1}
          max={1000}
          isRequired
          {...text('rate_limit_per_minute')}
        />
        <TextField
          label="Monthly response limit"
          hint="Leave blank for unlimited."
          type="number"
          min={0}
          {...text('monthly_message_cap')}
        />
      </div>
    </Section>
  );
}
