import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import type { BotFormState } from './use-bot-form.ts';

export interface SaveBarProps {
  form: BotFormState;
  /** DOM id of the open section's form; undefined if the section has none. */
  formId: string | undefined;
  /** Form fields whose inputs show their own errors, so that the bar omits these errors. */
  inlineFields: readonly string[];
  labels: Readonly<Record<string, string>>;
}

/** Bar at the bottom of the window that saves or discards the changes in all sections of the bot studio. */
export function SaveBar({ form, formId, inlineFields, labels }: SaveBarProps) {
  const { isChanged, save, discard, versionOnSave } = form;
  const { isEnabled, note, change, createVersion } = versionOnSave;
  if (!isChanged && !save.isBusy && createVersion.problem === null) return null;
  return (
    <div className="save-bar" role="region" aria-label="Unsaved changes">
      <ProblemMessage problem={save.problem} labels={labels} inlineFields={inlineFields} />
      {createVersion.problem !== null && (
        <>
          <p>The bot was saved, but not as a version:</p>
          <ProblemMessage problem={createVersion.problem} onRetry={() => createVersion.run()} />
        </>
      )}
      {(isChanged || save.isBusy) && (
        <div className="save-bar-row">
          <strong>Unsaved changes</strong>
          <Checkbox
            label="Save as a new version"
            checked={isEnabled}
            onChange={({ currentTarget }) => change({ isEnabled: currentTarget.checked })}
          />
          {isEnabled && (
            <TextInput
              className="save-bar-note"
              aria-label="Version note (optional)"
              placeholder="Version note (optional)"
              maxLength={500}
              value={note}
              onChange={({ currentTarget }) => change({ note: currentTarget.value })}
            />
          )}
          <Group gap="xs" ml="auto" wrap="nowrap">
            <Button variant="default" aria-disabled={save.isBusy} onClick={() => !save.isBusy && discard()}>
              Discard
            </Button>
            <Button
              type={formId === undefined ? 'button' : 'submit'}
              form={formId}
              aria-disabled={save.isBusy}
              data-inactive={save.isBusy || undefined}
              onClick={() => {
                if (formId === undefined) save.run();
              }}
            >
              {save.isBusy ? 'Saving…' : 'Save'}
            </Button>
          </Group>
        </div>
      )}
    </div>
  );
}
