import { ValidationError } from '../../errors.ts';
import { writeResult, Unsuccessful, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import { readFlowFile } from './flow-file.ts';
import { findTestFlow } from './flow-target.ts';

interface Fault {
  field: string;
  message: string;
}

export async function checkFlow(context: Context): Promise<void> {
  const file = readFlowFile(context.args[0] ?? '');
  const { bot } = context.values as { bot?: string };
  const faults = await findFaults(context, await findTestFlow(context.client, file, bot), file.graph);
  const nodes = file.graph['nodes'] as readonly unknown[];
  const problems = faults.map(({ field, message }) => ({ node: findNodeId(field, nodes), field, message }));
  writeResult(context, { ok: problems.length === 0, problems }, () =>
    problems.length === 0
      ? oneLine(`${file.name} can be activated.`)
      : problems.map(({ field, message }) => oneLine(`${field}: ${message}`)).join('\n'),
  );
  if (problems.length > 0) throw new Unsuccessful();
}

/**
 * Returns the problems that prevent saving the flow's graph. If the graph can be saved, returns the problems
 * that prevent activating the flow.
 */
async function findFaults(
  { client }: Context,
  flowId: string,
  graph: Record<string, unknown>,
): Promise<readonly Fault[]> {
  try {
    return (await client.flows.test(flowId, { graph, max_steps: 1 })).lacking;
  } catch (error) {
    if (error instanceof ValidationError && error.details.length > 0) return error.details;
    throw error;
  }
}

/** Returns the id of the step in the flow's graph that contains a problem. */
function findNodeId(field: string, nodes: readonly unknown[]): string | null {
  const [, at] = /^graph\.nodes\[(\d+)\]/.exec(field) ?? [];
  const node = at === undefined ? undefined : (nodes[Number(at)] as { id?: unknown } | null | undefined);
  return typeof node?.id === 'string' ? node.id : null;
}
