import { invalidField, validationError, type ErrorDetail } from '../../core/errors/errors.ts';
import { runBounds, VARIABLE, type FlowGraph } from '../../core/flows/flow-graph.ts';
import type { BookedTime, Effect } from '../../core/flows/node-type.ts';
import { nodeTypes } from '../../core/flows/node-types.ts';
import { findVariableExcess, type FlowContext } from '../../core/flows/step.ts';
import { listGraphErrors } from '../../core/flows/validate-graph.ts';
import { formatSize } from '../../core/text/size-text.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import type { FlowRepository } from '../../repositories/flows/flow.repository.ts';
import { FlowReadiness } from './flow-readiness.ts';
import { toBotValues, toTimeValues, listDirectoryEntries } from './template-values.ts';
import { TrialEffects, type EffectResult, type TrialEffectsDeps } from './trial-effects.ts';
import { TrialRun, type TrialInput, type TrialResult } from './trial-run.ts';

/** Input of a flow's test. */
export interface FlowTest {
  /** The visitor's message that starts the flow. */
  message: string;
  inputs: TrialInput[];
  variables: Record<string, unknown>;
  contact: Record<string, unknown>;
  pageUrl: string | null;
  /** Graph of the flow to test; null for the saved graph. */
  graph: Record<string, unknown> | null;
  /** Simulated results of the flow's effects, such as HTTP requests, by node id. */
  samples: Record<string, unknown>;
  asksModels: boolean;
  maxSteps: number;
}

export interface FlowTestServiceDeps extends TrialEffectsDeps {
  flows: FlowRepository;
  revisions: FlowRevisionRepository;
  bots: BotRepository;
}

/** Result of a flow's test. */
export interface FlowTestResult extends TrialResult {
  /** Faults that prevent the flow from being activated. */
  lacking: ErrorDetail[];
}

/** Tests conversation flows without side effects, on a simulated conversation. */
export class FlowTestService {
  readonly #deps: FlowTestServiceDeps;
  readonly #readiness: FlowReadiness;

  constructor(deps: FlowTestServiceDeps) {
    this.#deps = deps;
    this.#readiness = new FlowReadiness(deps);
  }

  /**
   * @throws AppError the errors of `flows.get`; `validation_error` for an invalid graph, variables or samples
   */
  async test(scope: OrgScope, flowId: string, test: FlowTest, signal: AbortSignal): Promise<FlowTestResult> {
    const { flows, revisions, bots } = this.#deps;
    const flow = await flows.get(scope, flowId);
    const bot = await bots.get(scope, flow.botId);
    const graph = test.graph
      ? requireValidTestGraph(test.graph)
      : (await revisions.getCurrent(scope, flowId)).graph;
    const variables = requireValidVariables(test.variables);
    const samples = parseSamples(test.samples, graph);
    const { asksModels, message, inputs, maxSteps } = test;
    const effects = new TrialEffects(this.#deps, { scope, bot, asksModels, signal });
    const run = new TrialRun(graph, variables, {
      templateValues: toTrialValues(bot, test, this.#deps.clock.now()),
      message,
      inputs,
      maxSteps,
      booking: pickTrialTime(this.#deps.clock.now()),
      perform: async (nodeId: string, effect: Effect, lastMessage: string) => {
        signal.throwIfAborted();
        return samples.get(nodeId) ?? effects.perform(effect, lastMessage);
      },
      findFlow: (id) => this.#findGraph(scope, bot, id),
    });
    const lacking = await this.#readiness.findFaults(scope, bot, flowId, graph);
    return { ...(await run.run()), lacking };
  }

  async #findGraph(scope: OrgScope, { id: botId }: Bot, flowId: string): Promise<FlowGraph | null> {
    const { flows, revisions } = this.#deps;
    const flow = await flows.find(scope, flowId);
    return flow?.botId === botId ? ((await revisions.findCurrent(scope, flowId))?.graph ?? null) : null;
  }
}

function requireValidTestGraph(graph: Record<string, unknown>): FlowGraph {
  const faults = listGraphErrors(graph);
  if (faults.length > 0) throw validationError(faults);
  return graph as unknown as FlowGraph;
}

const DAY_MS = 24 * 60 * 60_000;
const variablePattern = new RegExp(VARIABLE);

function requireValidVariables(variables: Record<string, unknown>): Record<string, unknown> {
  const wrong = Object.keys(variables).find((name) => !variablePattern.test(name));
  if (wrong !== undefined)
    throw invalidField(
      'variables',
      'must have names that start with a letter and contain only letters, digits and _',
    );
  const [, tooMuch] = findVariableExcess(variables) ?? [];
  if (tooMuch !== undefined) throw invalidField('variables', `must be fewer or shorter: ${tooMuch}`);
  return variables;
}

/**
 * Validates simulated results of effects in a flow's test.
 * @throws AppError `validation_error` for an unknown node or port, or a body that is too long
 */
function parseSamples(samples: Record<string, unknown>, { nodes }: FlowGraph): Map<string, EffectResult> {
  return new Map(
    Object.entries(samples).map(([id, sample]) => {
      const node = nodes.find((each) => each.id === id);
      if (!node) throw invalidField(`samples.${id.slice(0, 64)}`, 'does not belong to a node');
      const { port, body } = (sample ?? {}) as { port?: unknown; body?: unknown };
      const ports = nodeTypes[node.type].ports(node.data as never);
      if (typeof port !== 'string' || !(ports.includes(port) || port === 'out'))
        throw invalidField(`samples.${id}.port`, `must be one of ${ports.join(', ')}`);
      if (body !== undefined && JSON.stringify(body).length > runBounds.replyLength)
        throw invalidField(
          `samples.${id}.body`,
          `must have at most ${formatSize(runBounds.replyLength)} as JSON`,
        );
      return [id, { port, body }];
    }),
  );
}

/** Returns the time of bookings that a flow's test simulates: half an hour on the next day. */
function pickTrialTime(now: Date): BookedTime {
  const start = new Date(Math.ceil(now.getTime() / DAY_MS + 1) * DAY_MS - DAY_MS / 2);
  const end = new Date(start.getTime() + DAY_MS / 48);
  return { start: start.toISOString(), end: end.toISOString(), timezone: 'UTC' };
}

/** Returns the values that templates can read during a test, in which there is no real conversation. */
function toTrialValues(bot: Bot, { contact, pageUrl }: FlowTest, now: Date): FlowContext {
  return {
    contact,
    visitor: { page_url: pageUrl },
    conversation: { page_url: pageUrl },
    bot: toBotValues(bot),
    now: toTimeValues(now),
    directory: listDirectoryEntries(bot),
  };
}
