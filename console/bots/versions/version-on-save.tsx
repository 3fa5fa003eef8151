import { CheckboxField, TextField } from '../../components/fields.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import type { VersionOnSaveState } from './use-version-on-save.ts';

/** Checkbox next to the Save button that stores a version when the bot is saved. */
export function VersionOnSave({ isWanted, note, change, keep }: VersionOnSaveState) {
  return (
    <>
      <CheckboxField
        label="Keep a version of what is saved"
        isChecked={isWanted}
        onChange={(isChecked) => change({ isWanted: isChecked })}
      />
      {isWanted && (
        <TextField
          label="Note of the version"
          maxLength={500}
          value={note}
          onChange={(typed) => change({ note: typed })}
        />
      )}
      {keep.problem !== null && (
        <>
          <p>The bot is saved, but no version of it is kept:</p>
          <ProblemMessage problem={keep.problem} onRetry={() => keep.run()} />
        </>
      )}
    </>
  );
}
