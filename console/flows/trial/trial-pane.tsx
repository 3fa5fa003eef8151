import { Alert, Anchor, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FlowTrial } from '../../client/types.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { MarkdownText } from '../../components/text/markdown-text.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { useEditing } from '../editor/editor-context.ts';
import { getNodeName, listPorts } from '../kinds/node-kinds.ts';
import type { FlowNode } from '../graph/flow-draft.ts';
import { TrialSettings } from './trial-settings.tsx';

const outcomes: Record<FlowTrial['outcome'], string> = {
  completed: 'The flow ended.',
  waiting: 'Waiting for the visitor.',
  handed_over: 'Transferred to the team.',
  failed: 'The flow failed.',
};

/**
 * Panel that tests the flow as edited, without saving it. The run stores nothing and has no effects on other
 * systems.
 */
export function TrialPane() {
  const { trial } = useEditing();
  const { result, run, isOutdated, inputs } = trial;
  return (
    <Section title="Try it">
      <TrialSettings />
      <div className="row">
        <Button aria-disabled={run.isBusy} onClick={trial.restart}>
          {run.isBusy ? 'Running…' : result === null ? 'Start' : 'Restart'}
        </Button>
        {isOutdated && (
          <>
            <Button variant="default" aria-disabled={run.isBusy} onClick={() => run.run(inputs)}>
              Run again with the same answers
            </Button>
            <span className="hint">The flow has changed since this run.</span>
          </>
        )}
      </div>
      <ProblemMessage problem={run.problem} />
      {result !== null && <TrialView result={result} />}
    </Section>
  );
}

function TrialView({ result }: { result: FlowTrial }) {
  const { trial } = useEditing();
  const { outcome, messages, error, warnings, variables } = result;
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [result]);
  return (
    <>
      <div ref={log} className="trial-log" role="log" aria-label="Trial" tabIndex={0}>
        {messages.map(({ role, content }, at) => (
          <div key={at} className="trial-message" data-role={role}>
            {role === 'user' ? <p dir="auto">{content}</p> : <MarkdownText text={content} />}
          </div>
        ))}
        <p className="hint trial-outcome">
          {outcomes[outcome]}
          {error !== null && ` ${error.message}`}
        </p>
      </div>
      {result.waiting_for !== null && <Answer key={trial.inputs.length} inputRequest={result.waiting_for} />}
      {warnings.length > 0 && (
        <Alert color="yellow" role="status" aria-label="Not executed">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Alert>
      )}
      <details open>
        <summary>Variables and path</summary>
        <div className="stack">
          {Object.keys(variables).length === 0 ? (
            <p className="hint">No variables are set.</p>
          ) : (
            <Facts facts={Object.entries(variables).map(([name, value]) => [name, formatVariable(value)])} />
          )}
          <Path result={result} />
        </div>
      </details>
    </>
  );
}

/** Input for the next message that the tester of the flow sends as the visitor. */
function Answer({ inputRequest }: { inputRequest: NonNullable<FlowTrial['waiting_for']> }) {
  const { trial } = useEditing();
  const { run, inputs } = trial;
  const [text, setText] = useState('');
  const say = (): void => run.run([...inputs, text]);
  return (
    <>
      {inputRequest.options.length > 0 && (
        <div className="row" role="group" aria-label="Options">
          {inputRequest.options.map(({ id, label }) => (
            <Button
              key={id}
              variant="outline"
              radius="xl"
              size="xs"
              aria-disabled={run.isBusy}
              onClick={() => run.run([...inputs, { option_id: id }])}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <Form
        className="row from-bottom trial-answer"
        isReady={!run.isBusy && text.trim() !== ''}
        onSubmit={say}
      >
        <TextField label="Visitor's message" value={text} onChange={setText} maxLength={4000} isFocused />
        <Button variant="default" type="submit" aria-disabled={run.isBusy || text.trim() === ''}>
          Send
        </Button>
      </Form>
    </>
  );
}

function Path({ result: { path } }: { result: FlowTrial }) {
  const { editor } = useEditing();
  const { nodes } = editor.draft.graph;
  return (
    <ol className="flow-path" aria-label="Path">
      {path.map(({ node_id: id, port, note, changed }, at) => {
        const node = nodes.find((each) => each.id === id);
        return (
          <li key={at}>
            <Anchor component="button" type="button" onClick={() => editor.select(id)}>
              {at + 1}. <bdi>{node ? getNodeName(node) : id}</bdi>
            </Anchor>
            <span className="hint">
              {[
                port !== null && `→ ${describePort(node, port)}`,
                ...Object.entries(changed).map(([name, value]) => `${name} = ${formatVariable(value)}`),
                note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function describePort(node: FlowNode | undefined, port: string): string {
  return (node && listPorts(node).find(({ id }) => id === port)?.label) ?? port;
}

function formatVariable(value: unknown): string {
  if (value === null || value === undefined) return 'removed';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
