import type * as registered from './index.ts';
import type { CommandedWorkflow, WorkflowName } from '../core/workflows/workflow-catalog.ts';
import type { WorkflowInputs } from '../core/workflows/commands.ts';

type RegisteredWorkflows = typeof registered;

/**
 * True if `index.ts` exports the workflow, the catalog of workflows lists it, and it accepts the input of its
 * command.
 */
// oxlint-disable-next-line typescript/no-duplicate-type-constituents -- the types differ if a workflow is missing
type IsFullyRegistered<N> = N extends keyof RegisteredWorkflows & WorkflowName
  ? N extends CommandedWorkflow
    ? RegisteredWorkflows[N] extends (input: WorkflowInputs[N]) => Promise<unknown>
      ? true
      : false
    : true
  : false;

// oxlint-disable-next-line typescript/no-duplicate-type-constituents -- the types differ if a workflow is missing
type Name = keyof RegisteredWorkflows | WorkflowName | keyof WorkflowInputs;

/**
 * Constant that compiles only if `index.ts` exports every workflow, the catalog lists it, and it accepts its
 * command's input. Otherwise the compiler's error names the workflow.
 */
export const forgottenWorkflows: { [N in Name as IsFullyRegistered<N> extends true ? never : N]: true } = {};
