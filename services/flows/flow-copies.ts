import { AppError } from '../../core/errors/errors.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { newId } from '../../core/ids.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Flow } from '../../entities/flows/flow.entity.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import type { FlowRepository } from '../../repositories/flows/flow.repository.ts';
import { dropSecrets } from './header-secrets.ts';

/** Columns of a flow that its copy does not get. */
type OwnColumn =
  | 'id'
  | 'orgId'
  | 'botId'
  | 'isActive'
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
  | 'activatedAt';

export interface FlowCopiesDeps {
  flows: FlowRepository;
  revisions: FlowRevisionRepository;
}

/** Copies flows when their bot is copied. */
export class FlowCopies {
  readonly #deps: FlowCopiesDeps;

  constructor(deps: FlowCopiesDeps) {
    this.#deps = deps;
  }

  /**
   * Checks that the bot to be copied has no flows, for a caller who may not read them.
   * @throws AppError `forbidden` if the bot has flows
   */
  async requireNoFlows(scope: OrgScope, botId: string): Promise<void> {
    if ((await this.#deps.flows.countByBot(scope, botId)) > 0)
      throw new AppError('forbidden', 'The key lacks the scope flows:read; send include_flows as false.', {
        subject: 'scope flows:read',
      });
  }

  /**
   * Copies a bot's flows to a new bot. The copies are inactive and have no secrets. Their jumps lead to the
   * copied flows.
   */
  async copy(scope: OrgScope, botId: string, target: OrgScope, copyId: string): Promise<void> {
    const { flows, revisions } = this.#deps;
    const listed = (await flows.listFlows(scope, { botId })).toReversed();
    const current = await revisions.listCurrent(
      scope,
      listed.map(({ id }) => id),
    );
    const graphs = new Map(current.map(({ flowId, graph }) => [flowId, graph]));
    // Skips a flow that was deleted after it was listed: it no longer has a graph.
    const found = listed.filter(({ id }) => graphs.has(id));
    const ids = new Map(found.map(({ id }) => [id, newId()]));
    for (const { id: originalId, name, description, trigger, triggerKey } of found) {
      const id = ids.get(originalId)!;
      const columns: Omit<Flow, OwnColumn> = { name, description, trigger, triggerKey };
      await flows.insert(target, { ...columns, id, botId: copyId, revision: 1 });
      const graph = redirectJumps(ids, dropSecrets(graphs.get(originalId)!));
      await revisions.insert(target, { id: newId(), flowId: id, revision: 1, graph });
    }
  }
}

function redirectJumps(ids: ReadonlyMap<string, string>, graph: FlowGraph): FlowGraph {
  const nodes = graph.nodes.map((node) => {
    const { flow_id: flowId } = node.data as { flow_id?: string };
    const copyId = node.type === 'jump' && flowId !== undefined ? ids.get(flowId.toLowerCase()) : undefined;
    return copyId === undefined ? node : { ...node, data: { flow_id: copyId } };
  });
  return { ...graph, nodes };
}
