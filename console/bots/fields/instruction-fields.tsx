import { SwitchField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { LanguageField } from '../../components/forms/language-field.tsx';
import { Section } from '../../components/page/section.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { ModelFields } from './model-fields.tsx';

/** Form fields for the bot's identity, prompt, language and model. */
export function InstructionFields(binding: DraftBinding) {
  return (
    <>
      <BehaviorFields {...binding} />
      <ModelFields {...binding} />
    </>
  );
}

function BehaviorFields({ text, choice }: DraftBinding) {
  return (
    <Section title="Instructions" description="Who the bot is, and how it answers.">
      <div className="field-pair">
        <TextField label="Name" {...text('name')} maxLength={255} isRequired />
        <LanguageField label="Language" auto="auto" {...text('language')} />
      </div>
      <TextField label="Description" hint="Internal only" maxLength={2000} {...text('description')} />
      <TextArea
        label="Prompt"
        hint="Instructions that set the bot's role, tone and rules."
        rows={7}
        maxLength={20000}
        {...text('system_prompt')}
      />
      <SwitchField
        label="Only answer from knowledge"
        hint="If no passage matches the question, the bot sends the fallback message."
        {...choice('strict_kb_mode')}
      />
      <TextArea
        label="Fallback message"
        hint="Leave blank for the default text in the visitor's language."
        rows={2}
        maxLength={1000}
        {...text('fallback_message')}
      />
    </Section>
  );
}
