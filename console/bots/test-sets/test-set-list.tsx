import { useMemo, useState } from 'react';
import { path } from '../../client/paths.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { TestSet, TestSetSummary } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ListView } from '../../components/lists/list-view.tsx';
import { Status } from '../../components/lists/status.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { IconPlus } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { useList } from '../../state/use-list.ts';
import { IconTest } from '../icons.ts';
import { formatPassed, isUnfinished, runWords } from './test-set-words.ts';

const UNFINISHED_EVERY_MS = 3000;

/** Builds the URL of a test set, of one of its runs, or of a comparison of two runs. */
export function toHref(
  botId: string,
  open: { set: string; run?: string; compare?: string | undefined },
): string {
  return buildHref(['bots', botId, 'test'], { mode: 'sets', ...open });
}

/** Lists the test sets of a bot with their newest runs. */
export function TestSetList({ botId }: { botId: string }) {
  const mayWrite = usePermission()('bots:write', 'member');
  const sets = useList<TestSetSummary>(
    path`/api/ext/bots/${botId}/test-sets`,
    {},
    { everyMs: (rows) => rows.some(({ last_run: run }) => run && isUnfinished(run)) && UNFINISHED_EVERY_MS },
  );
  const columns = useMemo(() => createColumns(botId), [botId]);
  const create = mayWrite && <CreateButton botId={botId} />;
  return (
    <div className="studio-column wide">
      <ListView
        list={sets}
        noun="test set"
        empty={
          <EmptyState icon={<IconTest size={32} />} title="No test sets yet" action={create}>
            Collect questions and the answers you expect, and see immediately what a change breaks.
          </EmptyState>
        }
      >
        {(rows) => (
          <>
            <div className="test-set-tools">{create}</div>
            <DataTable label="Test sets" rows={rows} columns={columns} />
          </>
        )}
      </ListView>
    </div>
  );
}

function createColumns(botId: string): DataColumn<TestSetSummary>[] {
  return [
    {
      name: 'Name',
      sortBy: ({ name }) => name,
      render: ({ id, name }) => (
        <a className="cell-link" href={toHref(botId, { set: id })} dir="auto">
          {name}
        </a>
      ),
    },
    {
      name: 'Questions',
      kind: 'number',
      sortBy: ({ question_count: count }) => count,
      render: ({ question_count: count }) => count,
    },
    {
      name: 'Last run',
      render: ({ last_run: run }) => (run === null ? 'Not run yet' : <Outcome run={run} />),
    },
    { name: 'Time', render: ({ last_run: run }) => (run ? <RelativeTime at={run.created_at} /> : '–') },
  ];
}

function Outcome({ run }: { run: NonNullable<TestSetSummary['last_run']> }) {
  const [tone, name] = runWords[run.status];
  if (run.status !== 'completed') return <Status tone={tone}>{name}</Status>;
  return <Status tone={run.passed_count === run.question_count ? 'good' : 'bad'}>{formatPassed(run)}</Status>;
}

function CreateButton({ botId }: { botId: string }) {
  return (
    <DialogButton name="Create test set" kind="primary" icon={<IconPlus />}>
      {() => <CreateForm botId={botId} />}
    </DialogButton>
  );
}

function CreateForm({ botId }: { botId: string }) {
  const { client } = useSession();
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const { id } = await client.post<TestSet>(path`/api/ext/bots/${botId}/test-sets`, { name });
    goTo(toHref(botId, { set: id }));
  });
  return (
    <Form onSubmit={() => create.run()}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={100}
        isRequired
        isFocused
        placeholder="Prices and refunds"
        problem={describeFieldProblem(create.problem, 'name', 'Name')}
      />
      <ProblemMessage problem={create.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={create.isBusy}>Create</SubmitOrCancel>
    </Form>
  );
}
