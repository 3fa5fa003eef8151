import { Alert, Anchor } from '@mantine/core';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { focusOnStep } from '../outline/focus-on-step.ts';
import { useEditing } from './editor-context.ts';

/** Lists the errors of the flow, with links to their steps. */
export function FaultSummary({ onGoTo }: { onGoTo(): void }) {
  const { editor } = useEditing();
  const { faults, saving } = editor;
  const concernsGraph = saving.problem?.details.some(({ field }) => field.startsWith('graph')) ?? false;
  const goTo = (id: string): void => {
    onGoTo();
    editor.select(id);
    focusOnStep(id, '[aria-invalid="true"]');
  };
  return (
    <>
      {!concernsGraph && <ProblemMessage problem={saving.problem} inlineFields={['name', 'trigger']} />}
      {faults.length > 0 && (
        <Alert color="red" className="flow-problems" role="alert" aria-label="Problems">
          <p>Fix {formatCount(faults.length, 'problem')} first:</p>
          <ul>
            {faults.map(({ nodeId, message, path }) => (
              <li key={`${nodeId} ${path} ${message}`}>
                {nodeId === null ? (
                  message
                ) : (
                  <Anchor inherit component="button" type="button" onClick={() => goTo(nodeId)}>
                    {nodeId}: {message}
                  </Anchor>
                )}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}
