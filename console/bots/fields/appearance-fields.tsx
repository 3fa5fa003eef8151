import { Accordion } from '@mantine/core';
import { ColorField } from '../../components/forms/color-field.tsx';
import { SelectField, SwitchField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import { AvatarUpload } from './avatar-upload.tsx';
import type { DraftBinding } from './draft-binding.ts';
import { GreetingFields, LauncherFields } from './launcher-fields.tsx';
import { darkColors, DEFAULT_COLOR, deriveGradient, themeColors } from './theme-draft.ts';

const sides = [
  ['right', 'Bottom right'],
  ['left', 'Bottom left'],
] as const;

const schemes = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'Match the visitor’s system setting'],
] as const;

const fileChoices = [
  ['none', 'None'],
  ['images', 'Images'],
  ['documents', 'Documents'],
  ['all', 'Images and documents'],
] as const;

export interface AppearanceFieldsProps extends DraftBinding {
  onBotChange(bot: DraftBinding['bot']): void;
}

/** Fields for the appearance of the widget, and for what it shows before the first message. */
export function AppearanceFields({ onBotChange, ...binding }: AppearanceFieldsProps) {
  const { text, draft, change } = binding;
  return (
    <>
      <Section title="Appearance" description="How the widget looks on your site.">
        <AvatarUpload bot={binding.bot} onChange={onBotChange} />
        <BrandFields {...binding} />
        <MoreColors {...binding} />
      </Section>
      <LauncherFields {...binding} />
      <Section title="Greeting" description="What visitors see when they open the chat.">
        <TextArea
          label="Welcome message"
          hint="Shown when the chat opens."
          rows={2}
          maxLength={1000}
          {...text('welcome_message')}
        />
        <TextArea
          label="Starter questions"
          hint="One per line, up to 6."
          rows={4}
          {...text('starter_questions')}
        />
      </Section>
      <GreetingFields {...binding} />
      <Section title="Files" description="What visitors and your team can send besides text.">
        <SelectField
          label="Files from visitors"
          hint="At most 10 MB per file, 5 files per message and 20 per conversation. Files are deleted with the conversation."
          value={draft.theme_files}
          options={fileChoices}
          onChange={(files) => change({ theme_files: files })}
        />
      </Section>
    </>
  );
}

function BrandFields({ draft, text, choice, change }: DraftBinding) {
  // If the gradient begins with the brand color, a change of the brand color also changes the gradient.
  const isDerived = draft.theme_has_gradient && draft.theme_from === draft.theme_color;
  return (
    <>
      <div className="field-pair">
        <ColorField
          label="Brand color"
          hint="Hex color. Leave blank to use the default."
          placeholder={DEFAULT_COLOR}
          {...text('theme_color')}
          onChange={(color) =>
            change({ theme_color: color, ...(isDerived && color !== '' && deriveGradient(color)) })
          }
        />
        <SelectField
          label="Position"
          value={draft.theme_position}
          options={sides}
          onChange={(side) => change({ theme_position: side })}
        />
      </div>
      <SelectField
        label="Theme"
        value={draft.theme_scheme}
        options={schemes}
        onChange={(scheme) => change({ theme_scheme: scheme })}
      />
      <SwitchField
        label="Gradient header"
        hint="The gradient runs from your brand color to a darker shade."
        {...choice('theme_has_gradient')}
        onChange={(isOn) =>
          change({ theme_has_gradient: isOn, ...(isOn && deriveGradient(draft.theme_color)) })
        }
      />
    </>
  );
}

/** Fields for the colors that the widget derives by default, in a collapsed section. */
function MoreColors({ draft, text }: DraftBinding) {
  return (
    <Accordion variant="separated" className="more-colors">
      {draft.theme_has_gradient && (
        <Accordion.Item value="gradient">
          <Accordion.Control>Gradient colors</Accordion.Control>
          <Accordion.Panel>
            <div className="field-trio">
              <ColorField label="From" isRequired {...text('theme_from')} />
              <ColorField label="To" isRequired {...text('theme_to')} />
              <TextField label="Angle" type="number" min={0} max={360} isRequired {...text('theme_angle')} />
            </div>
          </Accordion.Panel>
        </Accordion.Item>
      )}
      <Accordion.Item value="light">
        <Accordion.Control>Light mode colors</Accordion.Control>
        <Accordion.Panel>
          <div className="field-pair">
            {themeColors.map(([name, label]) => (
              <ColorField key={name} label={label} {...text(`theme_light_${name}`)} />
            ))}
          </div>
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="dark">
        <Accordion.Control>Dark mode colors</Accordion.Control>
        <Accordion.Panel>
          <div className="field-pair">
            {darkColors.map(([name, label]) => (
              <ColorField key={name} label={`${label} (dark)`} {...text(`theme_dark_${name}`)} />
            ))}
          </div>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
