import type { FlowGraph } from '../../../core/flows/flow-graph.ts';
import { GraphIndex } from '../../../core/flows/step.ts';
import { parseTrigger, type Trigger } from '../../../core/flows/triggers.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Flow } from '../../../entities/flows/flow.entity.ts';
import type { FlowRevisionRepository } from '../../../repositories/flows/flow-revision.repository.ts';
import type { FlowRepository } from '../../../repositories/flows/flow.repository.ts';

/** A revision of a flow, parsed for execution. */
export interface IndexedFlow {
  flowId: string;
  revision: number;
  graph: FlowGraph;
  graphIndex: GraphIndex;
  /**
   * True if the flow's templates read the visitor's contact. If false, the run needs no query for the
   * contact.
   */
  readsContact: boolean;
}

export type TriggeredFlow = Pick<Flow, 'id' | 'name' | 'revision'> & { trigger: Trigger | null };

/** Maximum number of cached graphs of flows. Each has at most 200 KB. */
const MAX_CACHED = 100;

/**
 * Loads and caches graphs of flows. A revision of a flow never changes, so cached entries are never removed
 * as outdated.
 */
export class FlowGraphs {
  readonly #flows: FlowRepository;
  readonly #revisions: FlowRevisionRepository;
  readonly #cache = new Map<string, IndexedFlow>();

  constructor(flows: FlowRepository, revisions: FlowRevisionRepository) {
    this.#flows = flows;
    this.#revisions = revisions;
  }

  async listActive(scope: OrgScope, botId: string): Promise<TriggeredFlow[]> {
    const flows = await this.#flows.listActive(scope, botId);
    return flows.map(({ id, name, revision, trigger }) => ({
      id,
      name,
      revision,
      trigger: trigger === null ? null : parseTrigger(trigger),
    }));
  }

  /** Returns the current revision of a flow; null if the flow was deleted or belongs to another bot. */
  async findCurrent(scope: OrgScope, botId: string, flowId: string): Promise<IndexedFlow | null> {
    const flow = await this.#flows.find(scope, flowId);
    return flow?.botId === botId ? this.findRevision(scope, flow.id, flow.revision) : null;
  }

  /** Returns a revision of a flow; null if the revision was deleted. */
  async findRevision(scope: OrgScope, flowId: string, revision: number): Promise<IndexedFlow | null> {
    const key = `${scope.orgId} ${flowId} ${revision}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const found = await this.#revisions.findGraph(scope, flowId, revision);
    if (!found) return null;
    const { graph } = found;
    const readsContact = JSON.stringify(graph).includes('contact.');
    const indexedFlow = { flowId, revision, graph, graphIndex: new GraphIndex(graph), readsContact };
    this.#cache.set(key, indexedFlow);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return indexedFlow;
  }
}
