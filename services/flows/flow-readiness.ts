import type { ErrorDetail } from '../../core/errors/errors.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { createGraphFault } from '../../core/flows/graph-schema.ts';
import { listRunErrors } from '../../core/flows/validate-graph.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import type { FlowRepository } from '../../repositories/flows/flow.repository.ts';
import { getEnabledFeatures } from './flow-requirements.ts';
import type { FlowCalendar } from './flow-calendar.ts';
import { ConnectedFlows } from './connected-flows.ts';

export interface FlowReadinessDeps {
  flows: FlowRepository;
  revisions: FlowRevisionRepository;
  calendar: FlowCalendar;
}

/** Finds faults that prevent a flow from running. A flow with such faults can still be saved. */
export class FlowReadiness {
  readonly #deps: FlowReadinessDeps;
  readonly #reach: ConnectedFlows;

  constructor(deps: FlowReadinessDeps) {
    this.#deps = deps;
    this.#reach = new ConnectedFlows(deps.revisions);
  }

  /**
   * Returns the faults that prevent a flow's graph from running. If the graph has no faults, returns the
   * first fault of each flow to which it jumps.
   */
  async findFaults(scope: OrgScope, bot: Bot, flowId: string, graph: FlowGraph): Promise<ErrorDetail[]> {
    const { flows, calendar } = this.#deps;
    const flowIds = new Set(await flows.listIdsByBot(scope, bot.id));
    const surroundings = {
      enabledFeatures: getEnabledFeatures(bot, await calendar.isConnected(scope)),
      flowIds,
    };
    const ownFaults = listRunErrors(graph, surroundings);
    if (ownFaults.length > 0) return ownFaults;
    const reached = await this.#reach.listReachable(scope, graph);
    return reached.flatMap(({ flow, graph: next }) => {
      const [fault] = flow.id === flowId ? [] : listRunErrors(next, surroundings);
      if (!fault) return [];
      return [
        createGraphFault([], `leads to the flow "${flow.name}", which cannot run yet: ${fault.message}`),
      ];
    });
  }
}
