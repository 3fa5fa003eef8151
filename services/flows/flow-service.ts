import { isDeepStrictEqual } from 'node:util';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError, invalidField, validationError } from '../../core/errors/errors.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { parseTrigger, formatTrigger } from '../../core/flows/triggers.ts';
import { listGraphErrors } from '../../core/flows/validate-graph.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Flow } from '../../entities/flows/flow.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import type { FlowSessionRepository } from '../../repositories/flows/flow-session.repository.ts';
import type { FlowQuery, FlowRepository } from '../../repositories/flows/flow.repository.ts';
import type { FlowCalendar } from './flow-calendar.ts';
import { ConnectedFlows } from './connected-flows.ts';
import { FlowReadiness } from './flow-readiness.ts';
import { hideSecrets, sealHeaderSecrets } from './header-secrets.ts';
import type { TemplateBot } from './assigned-values.ts';
import { collectExposures, findNewExposures, type FlowExposure } from './flow-exposures.ts';

/** All settings of a flow, which callers always send together. */
export interface FlowInput {
  botId: string;
  name: string;
  description: string | null;
  trigger: string | null;
  graph: Record<string, unknown>;
}

export interface FlowListQuery extends Omit<FlowQuery, 'before'> {
  limit: number;
  /** Id of the last flow on the previous page of the list. */
  before?: string | undefined;
}

/** A flow with its current graph, without secrets. */
export interface FlowWithGraph extends Flow {
  graph: FlowGraph;
}

export interface FlowServiceDeps {
  flows: FlowRepository;
  revisions: FlowRevisionRepository;
  sessions: Pick<FlowSessionRepository, 'isAnyWaiting'>;
  bots: BotRepository;
  keyring: Keyring;
  calendar: FlowCalendar;
  settings: Pick<Settings, 'flowsPerBot' | 'flowRevisionsKept'>;
}

/** Creates, edits, activates and deletes the conversation flows of bots. */
export class FlowService {
  readonly #deps: FlowServiceDeps;
  readonly #reach: ConnectedFlows;
  readonly #readiness: FlowReadiness;

  constructor(deps: FlowServiceDeps) {
    this.#deps = deps;
    this.#reach = new ConnectedFlows(deps.revisions);
    this.#readiness = new FlowReadiness(deps);
  }

  /**
   * Lists the flows of the workspace, newest first.
   * @returns the flows older than `before`; no flows if the flow `before` was deleted
   */
  async list(scope: OrgScope, { before, ...query }: FlowListQuery): Promise<FlowWithGraph[]> {
    const { flows, revisions } = this.#deps;
    const last = before === undefined ? undefined : await flows.find(scope, before);
    const found = last === null ? [] : await flows.listFlows(scope, { ...query, before: last });
    const graphs = await revisions.listCurrent(
      scope,
      found.map(({ id }) => id),
    );
    const byFlow = new Map(graphs.map((each) => [each.flowId, each]));
    // Skips a flow that was deleted after it was listed: it no longer has a graph.
    return found.flatMap((flow) => {
      const current = byFlow.get(flow.id);
      return current ? [toFlowWithGraph({ ...flow, revision: current.revision }, current.graph)] : [];
    });
  }

  /**
   * @throws AppError `forbidden` for a flow of another workspace; `not_found` for an unknown flow or a
   *   deleted bot
   */
  async get(scope: OrgScope, flowId: string): Promise<FlowWithGraph> {
    const { flows, revisions, bots } = this.#deps;
    const flow = await flows.get(scope, flowId);
    await bots.get(scope, flow.botId);
    // Uses the graph's revision. The flow may name an older revision, since it was read before the graph.
    const { graph, revision } = await revisions.getCurrent(scope, flowId);
    return toFlowWithGraph({ ...flow, revision }, graph);
  }

  /**
   * @throws AppError `conflict` if the bot has the maximum number of flows; `validation_error` for faults in
   *   nodes; the errors of `bots.get`
   */
  create(scope: OrgScope, input: FlowInput): Promise<FlowWithGraph> {
    const { flows, bots, settings, keyring } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const { id: botId } = await bots.lock(tx, input.botId);
      const columns = toFlowColumns(input);
      if ((await flows.countByBot(tx, botId)) >= settings.flowsPerBot)
        throw new AppError(
          'conflict',
          `The bot has reached its limit of ${settings.flowsPerBot} flows; delete one first.`,
        );
      const id = newId();
      const graph = sealHeaderSecrets(requireValidGraph(input), null, id, keyring);
      const flow = await flows.insert(tx, { ...columns, id, botId, revision: 1 });
      await this.#addRevision(tx, flow, graph);
      return toFlowWithGraph(flow, graph);
    });
  }

  /**
   * Replaces a flow. A changed graph becomes a new revision. If conversations can enter the flow, the new
   * graph must be able to run.
   * @throws AppError `validation_error` for faults in nodes, or if the input names another bot; `conflict` if
   *   the flow is active and another active flow has the same trigger
   */
  save(scope: OrgScope, flowId: string, input: FlowInput): Promise<FlowWithGraph> {
    const { flows, revisions, keyring } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const bot = await this.#lockBot(tx, flowId, input);
      const flow = await flows.lock(tx, flowId);
      const columns = toFlowColumns(input);
      const inputGraph = requireValidGraph(input);
      if (flow.isActive) await this.#requireRunnable(tx, bot, { ...flow, ...columns }, inputGraph);
      else if (await this.#reach.findActiveOrigin(tx, bot, flowId))
        await this.#requireComplete(tx, bot, flow, inputGraph);
      const { graph: currentGraph } = await revisions.getCurrent(tx, flowId);
      const graph = sealHeaderSecrets(inputGraph, currentGraph, flowId, keyring);
      const isSame = isDeepStrictEqual(graph, currentGraph);
      const revision = flow.revision + (isSame ? 0 : 1);
      await flows.update(tx, flowId, { ...columns, revision, updatedAt: () => 'now()' });
      if (!isSame) await this.#addRevision(tx, { id: flowId, revision }, graph);
      return toFlowWithGraph(await flows.get(tx, flowId), graph);
    });
  }

  /**
   * Lists the steps of this flow, and of the flows to which it jumps, that may send words of conversations
   * outside. Empty if conversations cannot enter the flow: neither it nor a flow that jumps to it is active,
   * and no conversation waits in a flow. A waiting conversation may jump here from a flow that was
   * deactivated or changed.
   */
  async listExposures(scope: OrgScope, { id, botId, isActive }: Flow): Promise<FlowExposure[]> {
    const { bots, revisions, sessions } = this.#deps;
    const { graph } = await revisions.getCurrent(scope, id);
    const reached = [graph, ...(await this.#reach.listReachable(scope, graph)).map((each) => each.graph)];
    const bot = await bots.get(scope, botId);
    const exposures = collectExposures(reached, bot);
    if (exposures.length === 0 || isActive) return exposures;
    const canBeEntered =
      (await this.#reach.findActiveOrigin(scope, bot, id)) !== null ||
      (await sessions.isAnyWaiting(scope, botId));
    return canBeEntered ? exposures : [];
  }

  /**
   * Lists the steps that may send words of conversations outside. Includes only steps whose target or content
   * may change with the bot's name or language.
   */
  async listChangedExposures(scope: OrgScope, previous: TemplateBot, bot: Bot): Promise<FlowExposure[]> {
    if (bot.activeFlowCount === 0 || (previous.name === bot.name && previous.language === bot.language))
      return [];
    const active = (await this.#deps.revisions.listActive(scope, bot.id)).map(({ graph }) => graph);
    const reachable = await Promise.all(active.map((graph) => this.#reach.listReachable(scope, graph)));
    const graphs = [...active, ...reachable.flat().map(({ graph }) => graph)];
    return findNewExposures(collectExposures(graphs, previous), collectExposures(graphs, bot));
  }

  /**
   * Activates the flow; has no effect if it is active already.
   * @throws AppError `validation_error` for faults that prevent the flow from running; `conflict` if another
   *   active flow has the same trigger
   */
  activate(scope: OrgScope, flowId: string): Promise<FlowWithGraph> {
    return this.#switch(scope, flowId, async (tx, bot, flow, graph) => {
      if (flow.isActive) return false;
      await this.#requireRunnable(tx, bot, flow, graph);
      return this.#deps.flows.update(tx, flowId, { isActive: true, activatedAt: () => 'now()' });
    });
  }

  /** Locks the flow, and its bot, for the rest of the transaction. */
  async lock(scope: OrgScope, flowId: string): Promise<void> {
    await this.#lockBotByFlow(scope, flowId);
    await this.#deps.flows.lock(scope, flowId);
  }

  /** Deactivates the flow. Conversations that are in the flow still finish it. */
  deactivate(scope: OrgScope, flowId: string): Promise<FlowWithGraph> {
    return this.#switch(scope, flowId, async (tx, _bot, { isActive }) =>
      isActive ? this.#deps.flows.update(tx, flowId, { isActive: false }) : false,
    );
  }

  /** @throws AppError `conflict` if the flow is active, or if an active flow jumps to it */
  delete(scope: OrgScope, flowId: string): Promise<void> {
    const { flows } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const bot = await this.#lockBotByFlow(tx, flowId);
      const { isActive } = await flows.lock(tx, flowId);
      if (isActive) throw new AppError('conflict', 'The flow is active; deactivate it first.');
      const origin = await this.#reach.findActiveOrigin(tx, bot, flowId);
      if (origin)
        throw new AppError(
          'conflict',
          `The active flow "${origin.name}" leads to this flow; change that flow first.`,
        );
      await flows.delete(tx, flowId);
    });
  }

  /**
   * Applies a change, such as the activation, to a locked flow.
   * @param change applies the change; returns false if nothing changed
   */
  #switch(
    scope: OrgScope,
    flowId: string,
    change: (tx: OrgScope, bot: Bot, flow: Flow, graph: FlowGraph) => Promise<boolean>,
  ): Promise<FlowWithGraph> {
    const { flows, revisions, bots } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const bot = await this.#lockBotByFlow(tx, flowId);
      const flow = await flows.lock(tx, flowId);
      const { graph } = await revisions.getCurrent(tx, flowId);
      const isChanged = await change(tx, bot, flow, graph);
      if (!isChanged) return toFlowWithGraph(flow, graph);
      const activeFlowCount = await flows.countActive(tx, bot.id);
      await bots.update(tx, bot.id, { activeFlowCount });
      return toFlowWithGraph(await flows.get(tx, flowId), graph);
    });
  }

  async #lockBotByFlow(scope: OrgScope, flowId: string): Promise<Bot> {
    const { flows, bots } = this.#deps;
    const { botId } = await flows.get(scope, flowId);
    return bots.lock(scope, botId);
  }

  /**
   * Locks the flow's bot. Transactions that lock a bot and its flows lock the bot first, which prevents
   * deadlocks.
   */
  async #lockBot(scope: OrgScope, flowId: string, { botId: requestedBotId }: FlowInput): Promise<Bot> {
    const { flows, bots } = this.#deps;
    const { botId } = await flows.get(scope, flowId);
    const bot = await bots.lock(scope, requestedBotId);
    if (bot.id === botId) return bot;
    throw invalidField('bot_id', 'must be the bot of the flow; create another flow for a different bot');
  }

  async #requireRunnable(scope: OrgScope, bot: Bot, flow: Flow, graph: FlowGraph): Promise<void> {
    await this.#requireComplete(scope, bot, flow, graph);
    const { flows } = this.#deps;
    const duplicate = flow.triggerKey === null ? null : await flows.findSameTrigger(scope, flow);
    if (duplicate)
      throw new AppError('conflict', `The active flow "${duplicate.name}" of the bot has the same trigger.`);
  }

  /**
   * Checks that the flow's graph, and all flows to which it jumps, can run.
   * @throws AppError `validation_error`
   */
  async #requireComplete(scope: OrgScope, bot: Bot, { id }: Flow, graph: FlowGraph): Promise<void> {
    const faults = await this.#readiness.findFaults(scope, bot, id, graph);
    if (faults.length > 0) throw validationError(faults);
  }

  async #addRevision(
    scope: OrgScope,
    { id: flowId, revision }: Pick<Flow, 'id' | 'revision'>,
    graph: FlowGraph,
  ) {
    const { revisions, settings } = this.#deps;
    await revisions.insert(scope, { id: newId(), flowId, revision, graph });
    await revisions.deleteUpTo(scope, flowId, revision - settings.flowRevisionsKept);
  }
}

function toFlowWithGraph(flow: Flow, graph: FlowGraph): FlowWithGraph {
  return { ...flow, graph: hideSecrets(graph) };
}

/**
 * Returns the graph of a flow from the caller's input; throws if the graph is invalid.
 * @throws AppError `validation_error` if the graph is invalid
 */
function requireValidGraph({ graph }: FlowInput): FlowGraph {
  const faults = listGraphErrors(graph);
  if (faults.length > 0) throw validationError(faults);
  return graph as unknown as FlowGraph;
}

function toFlowColumns({
  name,
  description,
  trigger: text,
}: FlowInput): Pick<Flow, 'name' | 'description' | 'trigger' | 'triggerKey'> {
  const trigger = text !== null && isVisible(text) ? text.trim() : null;
  const parsed = trigger === null ? null : parseTrigger(trigger);
  if (trigger !== null && parsed === null)
    throw invalidField(
      'trigger',
      'must be conversation_started, first_message, no_answer, up to 20 keywords (keyword:refund,money back) or a page (page:/pricing*)',
    );
  return { name, description, trigger, triggerKey: parsed && formatTrigger(parsed) };
}
