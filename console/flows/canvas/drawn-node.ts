import type { Node } from '@xyflow/react';
import type { DrawnStep } from './canvas-props.ts';

/** A step as xyflow has it. */
export type DrawnNode = Node<DrawnStep & Record<string, unknown>, 'step'>;
