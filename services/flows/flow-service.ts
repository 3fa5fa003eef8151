import { isDeepStrictEqual } from 'node:util';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError, invalidField, validationError } from '../../core/errors/errors.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { parseTrigger, triggerText } from '../../core/flows/triggers.ts';
import { faultsOfGraph } from '../../core/flows/validate-graph.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { isVisible, requireVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Flow } from '../../entities/flows/flow.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import type { FlowQuery, FlowRepository } from '../../repositories/flows/flow.repository.ts';
import type { FlowCalendar } from './flow-calendar.ts';
import { FlowReach } from './flow-reach.ts';
import { FlowReadiness } from './flow-readiness.ts';
import { withoutSecrets, withSealedSecrets } from './header-secrets.ts';
import type { NamedBot } from './assigned-values.ts';
import { findNewRequests, sentRequests, type SentRequest } from './sent-requests.ts';

/** What callers say of a flow, all of it each time. */
export interface FlowInput {
  botId: string;
  name: string;
  description: string | null;
  trigger: string | null;
  graph: Record<string, unknown>;
}

export interface FlowListQuery extends Omit<FlowQuery, 'before'> {
  limit: number;
  /** The id of the last one of the list before. */
  before?: string | undefined;
}

/** A flow with its present graph, which shows no secret. */
export interface DrawnFlow extends Flow {
  graph: FlowGraph;
}

export interface FlowServiceDeps {
  flows: FlowRepository;
  revisions: FlowRevisionRepository;
  bots: BotRepository;
  keyring: Keyring;
  calendar: FlowCalendar;
  settings: Pick<Settings, 'flowsPerBot' | 'flowRevisionsKept'>;
}

/** Conversations that bots lead by plan. */
export class FlowService {
  readonly #deps: FlowServiceDeps;
  readonly #reach: FlowReach;
  readonly #readiness: FlowReadiness;

  constructor(deps: FlowServiceDeps) {
    this.#deps = deps;
    this.#reach = new FlowReach(deps.revisions);
    this.#readiness = new FlowReadiness(deps);
  }

  /** Newest first, from the one after `before` on; nothing if that was deleted meanwhile. */
  async list(scope: OrgScope, { before, ...query }: FlowListQuery): Promise<DrawnFlow[]> {
    const { flows, revisions } = this.#deps;
    const last = before === undefined ? undefined : await flows.find(scope, before);
    const found = last === null ? [] : await flows.listOf(scope, { ...query, before: last });
    const graphs = await revisions.listPresent(
      scope,
      found.map(({ id }) => id),
    );
    const byFlow = new Map(graphs.map((each) => [each.flowId, each]));
    // One that was removed meanwhile has none.
    return found.flatMap((flow) => {
      const present = byFlow.get(flow.id);
      return present ? [drawn({ ...flow, revision: present.revision }, present.graph)] : [];
    });
  }

  /** @throws AppError `forbidden` for another workspace's flow, `not_found` for none, or one of a deleted bot */
  async get(scope: OrgScope, flowId: string): Promise<DrawnFlow> {
    const { flows, revisions, bots } = this.#deps;
    const flow = await flows.get(scope, flowId);
    await bots.get(scope, flow.botId);
    // The revision that there is now: another may have been saved meanwhile.
    const { graph, revision } = await revisions.getPresent(scope, flowId);
    return drawn({ ...flow, revision }, graph);
  }

  /** @throws AppError `conflict` where the bot has as many as it may; `validation_error` naming nodes; like `bots.get` */
  create(scope: OrgScope, input: FlowInput): Promise<DrawnFlow> {
    const { flows, bots, settings, keyring } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const { id: botId } = await bots.lock(inside, input.botId);
      const columns = columnsOf(input);
      if ((await flows.countOf(inside, botId)) >= settings.flowsPerBot)
        throw new AppError(
          'conflict',
          `The bot has ${settings.flowsPerBot} flows, as many as it may have; delete one first.`,
        );
      const id = newId();
      const graph = withSealedSecrets(checkedGraph(input), null, id, keyring);
      const flow = await flows.insert(inside, { ...columns, id, botId, revision: 1 });
      await this.#addRevision(inside, flow, graph);
      return drawn(flow, graph);
    });
  }

  /**
   * Replaces it; the graph is a revision of its own where it has changed.
   * @throws AppError `validation_error` naming nodes, for one that may be run also what keeps it from that, and for another bot; `conflict` for an active one whose trigger another has
   */
  save(scope: OrgScope, flowId: string, input: FlowInput): Promise<DrawnFlow> {
    const { flows, revisions, keyring } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const bot = await this.#lockBot(inside, flowId, input);
      const flow = await flows.lock(inside, flowId);
      const columns = columnsOf(input);
      const given = checkedGraph(input);
      if (flow.isActive) await this.#requireRunnable(inside, bot, { ...flow, ...columns }, given);
      else if (await this.#reach.leaderOf(inside, bot, flowId))
        await this.#requireWhole(inside, bot, flow, given);
      const { graph: present } = await revisions.getPresent(inside, flowId);
      const graph = withSealedSecrets(given, present, flowId, keyring);
      const isSame = isDeepStrictEqual(graph, present);
      const revision = flow.revision + (isSame ? 0 : 1);
      await flows.update(inside, flowId, { ...columns, revision, updatedAt: () => 'now()' });
      if (!isSame) await this.#addRevision(inside, { id: flowId, revision }, graph);
      return drawn(await flows.get(inside, flowId), graph);
    });
  }

  /**
   * Lists the requests that conversations send by this flow and those that it leads to: none unless it is active, or an active one
   * leads to it.
   */
  async listSentRequests(scope: OrgScope, { id, botId, isActive }: Flow): Promise<SentRequest[]> {
    const { bots, revisions } = this.#deps;
    const { graph } = await revisions.getPresent(scope, id);
    const reached = [graph, ...(await this.#reach.of(scope, graph)).map((each) => each.graph)];
    const bot = await bots.get(scope, botId);
    const requests = sentRequests(reached, bot);
    if (requests.length === 0 || isActive) return requests;
    return (await this.#reach.leaderOf(scope, bot, id)) ? requests : [];
  }

  /** Lists the URLs of requests that go elsewhere, or say something else, since a bot has another name or language. */
  async listRedirected(scope: OrgScope, former: NamedBot, bot: Bot): Promise<string[]> {
    if (bot.activeFlowCount === 0 || (former.name === bot.name && former.language === bot.language))
      return [];
    const active = (await this.#deps.revisions.listActive(scope, bot.id)).map(({ graph }) => graph);
    const led = await Promise.all(active.map((graph) => this.#reach.of(scope, graph)));
    const graphs = [...active, ...led.flat().map(({ graph }) => graph)];
    const redirected = findNewRequests(sentRequests(graphs, former), sentRequests(graphs, bot));
    return redirected.map(({ url }) => url);
  }

  /**
   * Lets its trigger fire; one that is active stays as it is.
   * @throws AppError `validation_error` naming nodes of a graph that cannot run; `conflict` for the trigger of another active one
   */
  activate(scope: OrgScope, flowId: string): Promise<DrawnFlow> {
    return this.#switch(scope, flowId, async (inside, bot, flow, graph) => {
      if (flow.isActive) return false;
      await this.#requireRunnable(inside, bot, flow, graph);
      return this.#deps.flows.update(inside, flowId, { isActive: true, activatedAt: () => 'now()' });
    });
  }

  /** Stops its trigger; conversations that are in it finish it. */
  deactivate(scope: OrgScope, flowId: string): Promise<DrawnFlow> {
    return this.#switch(scope, flowId, async (inside, _bot, { isActive }) =>
      isActive ? this.#deps.flows.update(inside, flowId, { isActive: false }) : false,
    );
  }

  /** @throws AppError `conflict` for one that is active, or that an active one leads to */
  delete(scope: OrgScope, flowId: string): Promise<void> {
    const { flows } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const bot = await this.#lockBotOf(inside, flowId);
      const { isActive } = await flows.lock(inside, flowId);
      if (isActive) throw new AppError('conflict', 'The flow is active; deactivate it first.');
      const leader = await this.#reach.leaderOf(inside, bot, flowId);
      if (leader)
        throw new AppError('conflict', `The active flow "${leader.name}" leads to it; change that first.`);
      await flows.delete(inside, flowId);
    });
  }

  /** @param change returns whether the flow is another now */
  #switch(
    scope: OrgScope,
    flowId: string,
    change: (inside: OrgScope, bot: Bot, flow: Flow, graph: FlowGraph) => Promise<boolean>,
  ): Promise<DrawnFlow> {
    const { flows, revisions, bots } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const bot = await this.#lockBotOf(inside, flowId);
      const flow = await flows.lock(inside, flowId);
      const { graph } = await revisions.getPresent(inside, flowId);
      const isChanged = await change(inside, bot, flow, graph);
      if (!isChanged) return drawn(flow, graph);
      const activeFlowCount = await flows.countActive(inside, bot.id);
      await bots.update(inside, bot.id, { activeFlowCount });
      return drawn(await flows.get(inside, flowId), graph);
    });
  }

  async #lockBotOf(scope: OrgScope, flowId: string): Promise<Bot> {
    const { flows, bots } = this.#deps;
    const { botId } = await flows.get(scope, flowId);
    return bots.lock(scope, botId);
  }

  /** The bot is locked before the flow, by all who lock both. */
  async #lockBot(scope: OrgScope, flowId: string, { botId: given }: FlowInput): Promise<Bot> {
    const { flows, bots } = this.#deps;
    const { botId } = await flows.get(scope, flowId);
    const bot = await bots.lock(scope, given);
    if (bot.id === botId) return bot;
    throw invalidField(
      'bot_id',
      'must be the bot that the flow was made for; make another flow for this one',
    );
  }

  async #requireRunnable(scope: OrgScope, bot: Bot, flow: Flow, graph: FlowGraph): Promise<void> {
    await this.#requireWhole(scope, bot, flow, graph);
    const { flows } = this.#deps;
    const twin = flow.triggerKey === null ? null : await flows.findTwin(scope, flow);
    if (twin)
      throw new AppError('conflict', `The active flow "${twin.name}" of the bot begins by the same trigger.`);
  }

  /** It, and all that it leads to. */
  async #requireWhole(scope: OrgScope, bot: Bot, { id }: Flow, graph: FlowGraph): Promise<void> {
    const faults = await this.#readiness.faultsOf(scope, bot, id, graph);
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

function drawn(flow: Flow, graph: FlowGraph): DrawnFlow {
  return { ...flow, graph: withoutSecrets(graph) };
}

/** @throws AppError `validation_error` */
function checkedGraph({ graph }: FlowInput): FlowGraph {
  const faults = faultsOfGraph(graph);
  if (faults.length > 0) throw validationError(faults);
  return graph as unknown as FlowGraph;
}

function columnsOf({
  name,
  description,
  trigger: text,
}: FlowInput): Pick<Flow, 'name' | 'description' | 'trigger' | 'triggerKey'> {
  requireVisible(name, 'name');
  const trigger = text !== null && isVisible(text) ? text.trim() : null;
  const parsed = trigger === null ? null : parseTrigger(trigger);
  if (trigger !== null && parsed === null)
    throw invalidField(
      'trigger',
      'must be conversation_started, first_message, no_answer, keyword:refund,money back (up to 20) or page:/pricing*',
    );
  return { name, description, trigger, triggerKey: parsed && triggerText(parsed) };
}
