import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../components/text/format-count.ts';
import { Status } from '../../components/lists/status.tsx';
import { useEditing } from '../editor/editor-context.ts';
import type { FlowNode } from '../graph/flow-draft.ts';
import { KindIcon } from '../kinds/kind-icon.tsx';
import { getNodeKind } from '../kinds/node-kinds.ts';
import { getCardId } from './focus-on-step.ts';
import { StepForm } from './step-form.tsx';

/** Card for a step in the flow's list of steps. If the step is selected, the card contains its form. */
export function StepCard({ node, number }: { node: FlowNode; number: number }) {
  const { editor, trial } = useEditing();
  const isOpen = editor.selected === node.id;
  const card = useRef<HTMLLIElement>(null);
  const faults = editor.faults.filter(({ nodeId }) => nodeId === node.id);
  const visits = trial.visits.get(node.id) ?? [];
  const { title, summary } = getNodeKind(node);
  const about = summary(node.data);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: 'start' });
  }, [isOpen]);
  const classes = ['flow-step', visits.length > 0 && 'visited', faults.length > 0 && 'faulty'];
  return (
    <li ref={card} className={classes.filter(Boolean).join(' ')} data-node={node.id}>
      <h3>
        <UnstyledButton
          className="flow-step-head"
          id={getCardId(node.id)}
          aria-expanded={isOpen}
          onClick={() => editor.select(isOpen ? null : node.id)}
        >
          <span className="flow-step-number">{number}</span>
          <KindIcon type={node.type} />
          <span className="flow-step-words">
            <strong>{title}</strong> <span className="hint">{node.id}</span>
            {about !== '' && <span className="flow-step-about" dir="auto">{` ${about}`}</span>}
          </span>
          {visits.length > 0 && <Status tone="good">{`Run ${visits.join(', ')}`}</Status>}
          {trial.waitingAt === node.id && <Status tone="busy">Waiting</Status>}
          {faults.length > 0 && <Status tone="bad">{formatCount(faults.length, 'problem')}</Status>}
        </UnstyledButton>
      </h3>
      {isOpen && <StepForm node={node} faults={faults} />}
    </li>
  );
}
