import type { Node } from '@xyflow/react';
import type { DrawnStep } from './canvas-props.ts';

/** Step of a flow as a node of the xyflow library. */
export type DrawnNode = Node<DrawnStep & Record<string, unknown>, 'step'>;
