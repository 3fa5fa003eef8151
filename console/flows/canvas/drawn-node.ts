import type { Node } from '@xyflow/react';
import type { DrawnStep } from './canvas-props.ts';

/** Node type of xyflow for a step. */
export type DrawnNode = Node<DrawnStep & Record<string, unknown>, 'step'>;
