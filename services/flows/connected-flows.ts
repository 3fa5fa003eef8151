import { listJumpTargets, type FlowGraph } from '../../core/flows/flow-graph.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Flow } from '../../entities/flows/flow.entity.ts';
import type {
  FlowRevisionRepository,
  CurrentFlow,
} from '../../repositories/flows/flow-revision.repository.ts';

/**
 * Finds flows of a bot that are connected by jumps. A conversation enters the target of a jump without its
 * trigger.
 */
export class ConnectedFlows {
  readonly #revisions: FlowRevisionRepository;

  constructor(revisions: FlowRevisionRepository) {
    this.#revisions = revisions;
  }

  /** Returns the flows to which a flow's graph jumps, directly or through other flows. */
  async listReachable(scope: OrgScope, graph: FlowGraph): Promise<CurrentFlow[]> {
    const found = new Map<string, CurrentFlow>();
    let unvisitedGraphs = [graph];
    while (unvisitedGraphs.length > 0) {
      const ids = new Set(unvisitedGraphs.flatMap(listJumpTargets).filter((id) => !found.has(id)));
      const next = await this.#revisions.listWithGraphs(scope, [...ids]);
      for (const each of next) found.set(each.flow.id, each);
      unvisitedGraphs = next.map((each) => each.graph);
    }
    return [...found.values()];
  }

  /**
   * Returns an active flow of the bot from which jumps lead to the given flow, directly or through other
   * flows. Returns null if no such flow exists.
   */
  async findActiveOrigin(scope: OrgScope, bot: Bot, flowId: string): Promise<Flow | null> {
    if (bot.activeFlowCount === 0) return null;
    const seenIds = new Set<string>();
    let unvisited = (await this.#revisions.listActive(scope, bot.id)).map(({ flow, graph }) => ({
      origin: flow,
      graph,
    }));
    while (unvisited.length > 0) {
      const origins = new Map<string, Flow>();
      for (const { origin, graph } of unvisited)
        for (const id of listJumpTargets(graph))
          if (!seenIds.has(id) && !origins.has(id)) origins.set(id, origin);
      for (const id of origins.keys()) seenIds.add(id);
      const next = await this.#revisions.listWithGraphs(scope, [...origins.keys()]);
      unvisited = next.map(({ flow, graph }) => ({ origin: origins.get(flow.id)!, graph }));
      if (next.some(({ flow }) => flow.id === flowId)) return origins.get(flowId)!;
    }
    return null;
  }
}
