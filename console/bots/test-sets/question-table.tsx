import { Button, Group, Menu } from '@mantine/core';
import { useMemo } from 'react';
import type { TestQuestion } from '../../client/types.ts';
import { toApiError } from '../../client/api-error.ts';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { showError } from '../../components/page/notices.ts';
import { IconEdit, IconPlus, IconTrash } from '../../shell/icons.ts';
import { IconQuestion } from '../icons.ts';
import { expectationWords } from './test-set-words.ts';

export interface QuestionTableProps {
  questions: readonly TestQuestion[];
  mayWrite: boolean;
  onAdd(): void;
  onDraft(): void;
  onEdit(question: TestQuestion): void;
  onRemove(question: TestQuestion): Promise<void>;
}

const columns: DataColumn<TestQuestion>[] = [
  { name: 'Question', render: ({ question }) => <span dir="auto">{question}</span> },
  { name: 'Expected', render: ({ expects }) => expectationWords[expects] },
  { name: 'Source', render: ({ source }) => <span dir="auto">{source ?? '–'}</span> },
  { name: 'Words', render: ({ words }) => <span dir="auto">{words.join(', ') || '–'}</span> },
];

/** Lists the questions of a test set. */
export function QuestionTable({ questions, mayWrite, onAdd, onDraft, onEdit, onRemove }: QuestionTableProps) {
  const actions = useMemo(
    (): DataColumn<TestQuestion> => ({
      name: 'Actions',
      kind: 'actions',
      render: (question) => (
        <RowMenu about={question.question}>
          <Menu.Item leftSection={<IconEdit />} onClick={() => onEdit(question)}>
            Edit…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash />}
            onClick={() =>
              void onRemove(question).catch((error: unknown) => showError(toApiError(error).message))
            }
          >
            Remove
          </Menu.Item>
        </RowMenu>
      ),
    }),
    [onEdit, onRemove],
  );
  const add = mayWrite && (
    <Group>
      <Button variant="default" leftSection={<IconPlus />} onClick={onAdd}>
        Add question
      </Button>
      <Button variant="default" onClick={onDraft}>
        Draft questions…
      </Button>
    </Group>
  );
  if (questions.length === 0)
    return (
      <EmptyState icon={<IconQuestion size={32} />} title="No questions yet" action={add}>
        Draft questions from documents and visitors’ questions, add your own, or import a CSV file from the
        menu above.
      </EmptyState>
    );
  return (
    <>
      <DataTable label="Questions" rows={questions} columns={mayWrite ? [...columns, actions] : columns} />
      <div>{add}</div>
    </>
  );
}
