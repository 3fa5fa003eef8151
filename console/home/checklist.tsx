import { Button, CloseButton, Progress, Title } from '@mantine/core';
import { buildHref } from '../router.ts';
import { IconCheck } from '../shell/notice-icons.ts';
import type { SetupStep } from './setup-steps.ts';

export interface ChecklistProps {
  steps: readonly SetupStep[];
  onDismiss(): void;
}

/**
 * Lists the steps from an empty workspace to a live bot. A step counts as completed as soon as its result
 * exists.
 */
export function Checklist({ steps, onDismiss }: ChecklistProps) {
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className="card checklist" aria-labelledby="checklist">
      <div className="section-head">
        <div>
          <Title order={2} id="checklist">
            Get your bot live
          </Title>
          <p className="hint">
            {doneCount} of {steps.length} steps done
          </p>
        </div>
        <CloseButton aria-label="Dismiss checklist" onClick={onDismiss} />
      </div>
      <Progress value={(100 * doneCount) / steps.length} size="sm" aria-label="Steps done" />
      <ol className="checklist-steps">
        {steps.map((step, index) => (
          <li key={step.id} className="checklist-step" data-done={step.isDone || undefined}>
            <span className="checklist-mark" aria-hidden="true">
              {step.isDone ? <IconCheck size={20} /> : index + 1}
            </span>
            <div className="checklist-text">
              <strong>
                {step.name}
                {step.isDone && <span className="unseen"> (done)</span>}
              </strong>
              {!step.isDone && <p className="hint">{step.description}</p>}
            </div>
            {!step.isDone && step.segments !== null && (
              <Button
                component="a"
                href={buildHref(step.segments, step.query)}
                size="xs"
                variant={step === next ? 'filled' : 'default'}
              >
                {step.action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
