import { SwitchField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import {
  BOUNDS,
  DEFAULT_SECONDS,
  MAX_GREETING_CHARS,
  MAX_GREETINGS,
  MAX_LABEL_CHARS,
} from '../../../widget/launcher/read-launcher.ts';
import type { DraftBinding } from './draft-binding.ts';
import { ItemList } from './item-list.tsx';
import { parseGreetings, type GreetingDraft } from './launcher-draft.ts';

/** Form fields for the button that opens the chat, and for the size of the widget's panel. */
export function LauncherFields({ text, choice }: DraftBinding) {
  return (
    <Section title="Launcher" description="The button that opens the chat, and the size of the panel.">
      <TextField
        label="Label"
        hint="Text beside the icon. Leave blank for the icon alone."
        maxLength={MAX_LABEL_CHARS}
        {...text('launcher_label')}
      />
      <SwitchField
        label="Hide the launcher"
        hint="The chat opens only when your page calls Parley.open()."
        {...choice('launcher_hidden')}
      />
      <div className="field-pair">
        <PixelField label="Distance from the side" bounds={BOUNDS['offset_x']!} {...text('launcher_x')} />
        <PixelField label="Distance from the bottom" bounds={BOUNDS['offset_y']!} {...text('launcher_y')} />
      </div>
      <div className="field-pair">
        <PixelField label="Panel width" bounds={BOUNDS['width']!} {...text('panel_width')} />
        <PixelField label="Panel height" bounds={BOUNDS['height']!} {...text('panel_height')} />
      </div>
    </Section>
  );
}

function PixelField({
  label,
  bounds: [min, max],
  ...input
}: {
  label: string;
  bounds: [number, number];
} & ReturnType<DraftBinding['text']>) {
  const hint = `In pixels, ${min} to ${max}. Leave blank for the default.`;
  return <TextField label={label} hint={hint} type="number" min={min} max={max} {...input} />;
}

/** Editor of the greetings that the widget shows beside the launcher. */
export function GreetingFields({ draft, change }: DraftBinding) {
  return (
    <Section
      title="Messages beside the launcher"
      description="The first message that matches the page appears once to each visitor who has not chatted yet."
    >
      <ItemList<GreetingDraft>
        items={parseGreetings(draft)}
        max={MAX_GREETINGS}
        noun="Message"
        addLabel="Add message"
        problem={undefined}
        create={() => ({ text: '', pages: '', afterSeconds: String(DEFAULT_SECONDS) })}
        getName={({ text }) => text}
        onChange={(changed) => change({ greetings: JSON.stringify(changed) })}
        renderFields={(greeting, changeGreeting) => (
          <>
            <TextField
              label="Text"
              value={greeting.text}
              maxLength={MAX_GREETING_CHARS}
              isRequired
              onChange={(text) => changeGreeting({ text })}
            />
            <TextField
              label="Delay in seconds"
              type="number"
              min={0}
              max={BOUNDS['after_seconds']![1]}
              value={greeting.afterSeconds}
              onChange={(afterSeconds) => changeGreeting({ afterSeconds })}
            />
          </>
        )}
        renderWideField={(greeting, changeGreeting) => (
          <TextArea
            label="Pages"
            hint="One pattern per line, such as /pricing*. Leave blank for all pages."
            rows={2}
            value={greeting.pages}
            onChange={(pages) => changeGreeting({ pages })}
          />
        )}
      />
    </Section>
  );
}
