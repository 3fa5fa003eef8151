import { Anchor, Menu } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Page, TestQuestion, TestRun, TestSet } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { showConfirmation } from '../../components/page/notices.ts';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { IconEdit, IconTrash, IconUpload } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { useReload } from '../../state/use-reload.ts';
import { DraftQuestions } from './draft-questions.tsx';
import { ImportForm } from './import-form.tsx';
import { QuestionForm, type EditedQuestion } from './question-form.tsx';
import { QuestionTable } from './question-table.tsx';
import { RunResults } from './run-results.tsx';
import { RunTabs } from './run-tabs.tsx';
import { SetSettingsForm } from './set-settings-form.tsx';
import { toHref } from './test-set-list.tsx';
import { isUnfinished } from './test-set-words.ts';

export interface TestSetPageProps {
  botId: string;
  id: string;
  /** Id of the test run whose results are shown; undefined to show the questions. */
  runId: string | undefined;
  /** Id of the test run with which the results are compared. */
  comparedId: string | undefined;
}

type Step =
  | { kind: 'settings' | 'import' | 'delete' | 'add' | 'draft' }
  | { kind: 'edit'; question: TestQuestion };

const UNFINISHED_EVERY_MS = 1500;

/** Shows a test set: its questions, its test runs, and the results of a run. */
export function TestSetPage({ botId, id, runId, comparedId }: TestSetPageProps) {
  const url = path`/api/ext/bots/${botId}/test-sets/${id}`;
  const set = useApi<TestSet>(url);
  const runs = useApi<Page<TestRun>>(`${url}/runs`, {
    everyMs: (page) => (page?.items.some(isUnfinished) ?? false) && UNFINISHED_EVERY_MS,
  });
  return (
    <div className="studio-column wide">
      <Anchor href={buildHref(['bots', botId, 'test'], { mode: 'sets' })}>All test sets</Anchor>
      <LoadedView loaded={set}>
        {(loaded) => (
          <>
            <SetHeader set={loaded} url={url} onChange={set.set} />
            <RunTabs botId={botId} setId={id} runs={runs.data?.items ?? []} current={runId} />
            {runId === undefined ? (
              <Questions set={loaded} url={url} onChange={set.set} />
            ) : (
              <LoadedView loaded={runs}>
                {({ items }) => {
                  const run = items.find((each) => each.id === runId);
                  if (run === undefined)
                    return (
                      !runs.isLoading && (
                        <p className="hint">This run no longer exists. A test set keeps its last 20 runs.</p>
                      )
                    );
                  return (
                    <RunResults
                      key={runId}
                      botId={botId}
                      setId={id}
                      run={run}
                      runs={items}
                      comparedId={comparedId}
                      onChange={runs.reload}
                    />
                  );
                }}
              </LoadedView>
            )}
          </>
        )}
      </LoadedView>
    </div>
  );
}

interface SetProps {
  set: TestSet;
  url: string;
  onChange(set: TestSet): void;
}

function SetHeader({ set, url, onChange }: SetProps) {
  const { client } = useSession();
  const mayWrite = usePermission()('bots:write', 'member');
  const reload = useReload();
  const [step, setStep] = useState<Step | null>(null);
  const startRun = async (): Promise<void> => {
    const run = await client.post<TestRun>(`${url}/runs`, {});
    await reload(`${url}/runs`);
    goTo(toHref(set.bot_id, { set: set.id, run: run.id }));
  };
  return (
    <header className="test-set-head">
      <h2 dir="auto">{set.name}</h2>
      {set.required_percent !== null && (
        <span className="tag">{set.required_percent}% required to go live</span>
      )}
      {mayWrite && (
        <>
          <ActionButton kind="primary" isDisabled={set.questions.length === 0} onAction={startRun}>
            Run test
          </ActionButton>
          <RowMenu about={set.name}>
            <Menu.Item leftSection={<IconEdit />} onClick={() => setStep({ kind: 'settings' })}>
              Settings…
            </Menu.Item>
            <Menu.Item leftSection={<IconUpload />} onClick={() => setStep({ kind: 'import' })}>
              Import CSV…
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash />}
              className="danger-item"
              onClick={() => setStep({ kind: 'delete' })}
            >
              Delete…
            </Menu.Item>
          </RowMenu>
        </>
      )}
      {step?.kind === 'settings' && (
        <Dialog title="Settings" onClose={() => setStep(null)}>
          <SetSettingsForm
            set={set}
            onSave={async (changes) => {
              onChange(await client.patch<TestSet>(url, changes));
              setStep(null);
            }}
          />
        </Dialog>
      )}
      {step?.kind === 'import' && (
        <Dialog title="Import CSV" size="lg" onClose={() => setStep(null)}>
          <ImportForm
            onImport={async (csv) => {
              onChange(await client.post<TestSet>(`${url}/questions`, { csv }));
              setStep(null);
              showConfirmation('Questions imported');
            }}
          />
        </Dialog>
      )}
      {step?.kind === 'delete' && (
        <ConfirmDialog
          question={`Delete ${set.name}?`}
          consequence="This also deletes its questions, its runs and their results."
          action="Delete"
          onConfirm={async () => {
            await client.delete(url);
            await reload(path`/api/ext/bots/${set.bot_id}/test-sets`);
            goTo(buildHref(['bots', set.bot_id, 'test'], { mode: 'sets' }));
          }}
          onClose={() => setStep(null)}
        />
      )}
    </header>
  );
}

function Questions({ set, url, onChange }: SetProps) {
  const { client } = useSession();
  const mayWrite = usePermission()('bots:write', 'member');
  const [step, setStep] = useState<Step | null>(null);
  const store = async (questions: readonly EditedQuestion[]): Promise<void> => {
    onChange(await client.patch<TestSet>(url, { questions }));
    setStep(null);
  };
  const save = (edited: EditedQuestion): Promise<void> =>
    store(
      edited.id === undefined
        ? [...set.questions, edited]
        : set.questions.map((each) => (each.id === edited.id ? edited : each)),
    );
  return (
    <>
      <QuestionTable
        questions={set.questions}
        mayWrite={mayWrite}
        onAdd={() => setStep({ kind: 'add' })}
        onDraft={() => setStep({ kind: 'draft' })}
        onEdit={(question) => setStep({ kind: 'edit', question })}
        onRemove={({ id }) => store(set.questions.filter((each) => each.id !== id))}
      />
      {step?.kind === 'draft' && (
        <Dialog title="Draft questions" size="lg" onClose={() => setStep(null)}>
          <DraftQuestions
            set={set}
            onAdded={(changed, count) => {
              onChange(changed);
              setStep(null);
              showConfirmation(`${formatCount(count, 'question')} added`);
            }}
          />
        </Dialog>
      )}
      {(step?.kind === 'add' || step?.kind === 'edit') && (
        <Dialog
          title={step.kind === 'add' ? 'Add question' : 'Edit question'}
          size="lg"
          onClose={() => setStep(null)}
        >
          <QuestionForm question={step.kind === 'edit' ? step.question : null} onSave={save} />
        </Dialog>
      )}
    </>
  );
}
