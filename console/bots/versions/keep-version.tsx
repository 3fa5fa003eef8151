import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { ProblemMessage } from '../../ui/problem-message.tsx';
import type { KeptVersion } from './use-kept-version.ts';

/** Checkbox next to Save: whether to store a version as well. */
export function KeepVersion({ isWanted, note, change, keep }: KeptVersion) {
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
