import { FileButton, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { TextArea } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { IconUpload } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';

const EXAMPLE =
  'question,expects,source,words\nWhat does a day pass cost?,answer,Prices,£9\nDo you sell hats?,refusal,,';

/** Form that adds questions to a test set from CSV, pasted or from a file. */
export function ImportForm({ onImport }: { onImport(csv: string): Promise<void> }) {
  const [csv, setCsv] = useState('');
  const add = useAction(() => onImport(csv));
  return (
    <Form onSubmit={() => add.run()}>
      <Text>
        The first line must name the columns; only “question” is required. In the “words” column, use
        semicolons between words. In the “expects” column, use answer, refusal or handoff.
      </Text>
      <FileButton
        accept=".csv,text/csv,text/plain"
        onChange={(file) => {
          if (file !== null) void file.text().then(setCsv);
        }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload />}>
            Choose CSV file
          </Button>
        )}
      </FileButton>
      <TextArea
        label="CSV"
        value={csv}
        onChange={setCsv}
        rows={8}
        isRequired
        placeholder={EXAMPLE}
        problem={describeFieldProblem(add.problem, 'csv', 'CSV')}
      />
      <ProblemMessage problem={add.problem} inlineFields={['csv']} />
      <SubmitOrCancel isBusy={add.isBusy}>Import</SubmitOrCancel>
    </Form>
  );
}
