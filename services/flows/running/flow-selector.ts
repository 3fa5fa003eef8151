import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { recognizeRemark } from '../../../core/conversations/remarks/recognize-remark.ts';
import type { FlowEvent, FlowOption } from '../../../core/flows/node-type.ts';
import { buildOpening, type Opening } from '../../../core/flows/opening-messages.ts';
import { createState, startTurn, type FlowState } from '../../../core/flows/step.ts';
import { chooseFlow, findNoAnswerFlow } from '../../../core/flows/triggers.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { OpenedFlowTurn } from '../../../repositories/flows/flow-session.repository.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { toBotValues } from '../template-values.ts';
import type { FlowGraphs, TriggeredFlow, IndexedFlow } from './flow-graphs.ts';
import type { TurnStart } from './flow-run.ts';
import { decryptState } from './flow-change.ts';
import type { FlowTurn } from './flow-turn.ts';

/** A visitor's message that must be answered, with its conversation and the state of its flow. */
export interface TurnSituation {
  turn: FlowTurn;
  conversation: Conversation;
  session: OpenedFlowTurn['session'];
}

export interface FlowSelectorDeps {
  graphs: FlowGraphs;
  messages: MessageRepository;
  keyring: Keyring;
  calendar: FlowCalendar;
}

/**
 * Returns true if the flow waits for the choice of an option, the visitor asks for a person instead, and no
 * option offers one.
 */
export function asksForPersonAtChoice({ turn, session }: TurnSituation): boolean {
  if (session?.status !== 'waiting' || session.awaiting?.kind !== 'choice') return false;
  if (turn.replyToId === null || turn.optionId) return false;
  const labels = session.awaiting.options.map(({ label }) => label);
  return asksForPerson(getLastMessage(turn)) && !labels.some(asksForPerson);
}

function asksForPerson(text: string): boolean {
  const remark = recognizeRemark(text);
  return remark?.kind === 'wants_person' && remark.isCertain;
}

/**
 * Decides which flow answers a visitor's message: the flow that waits for the message, or, if none waits, the
 * flow whose trigger matches.
 */
export class FlowSelector {
  readonly #deps: FlowSelectorDeps;

  constructor(deps: FlowSelectorDeps) {
    this.#deps = deps;
  }

  /** Returns the flow that answers the message, and where it starts; null if no flow answers. */
  async select(situation: TurnSituation): Promise<TurnStart | null> {
    const { turn, session } = situation;
    if (session?.status === 'waiting') {
      const resumed = await this.#resumeFlow(situation, session);
      if (resumed) return resumed;
    }
    return turn.replyToId === null ? null : this.#selectTriggered(situation);
  }

  /**
   * Returns the flow with the trigger `no_answer`, which runs if the documents have no answer; null if the
   * bot has no such flow.
   */
  async selectWithoutAnswer({ turn }: TurnSituation): Promise<TurnStart | null> {
    const { scope, bot } = turn;
    const noAnswerFlow =
      bot.activeFlowCount === 0 ? undefined : findNoAnswerFlow(await this.#listTriggered(turn));
    const flow =
      noAnswerFlow && (await this.#deps.graphs.findRevision(scope, noAnswerFlow.id, noAnswerFlow.revision));
    return flow ? enterFlow(flow, getLastMessage(turn)) : null;
  }

  /** Returns the flow that waits for the message, and its state; null if the flow's revision was deleted. */
  async #resumeFlow(
    { turn, conversation }: TurnSituation,
    session: NonNullable<TurnSituation['session']>,
  ): Promise<TurnStart | null> {
    const { flowId, revision, nodeId, steps, awaiting, sealedState } = session;
    const flow = await this.#deps.graphs.findRevision(turn.scope, flowId, revision);
    if (!flow || sealedState === null) return null;
    const storedState = decryptState(this.#deps.keyring, conversation.id, sealedState);
    const previous: FlowState = { ...createState(flow.graphIndex), ...storedState, nodeId, steps };
    const state = startTurn(previous, getLastMessage(turn));
    if (awaiting?.kind === 'booking')
      return { flow, state, event: await this.#toBookingEvent(turn, awaiting.options) };
    if (turn.replyToId === null) return { flow, state, event: { kind: 'timed_out' } };
    const isForm = awaiting?.kind === 'form';
    // The option of a waiting form can be selected only after the visitor has submitted the form.
    const options = isForm && !conversation.isLead ? [] : (awaiting?.options ?? []);
    return { flow, state, event: await this.#toSaidEvent(turn, options) };
  }

  /**
   * Returns a `booked` event if the conversation has a booking, and the visitor has selected the option
   * `booked` or written nothing.
   */
  async #toBookingEvent(turn: FlowTurn, options: readonly FlowOption[]): Promise<FlowEvent> {
    const event: FlowEvent =
      turn.replyToId === null ? { kind: 'timed_out' } : await this.#toSaidEvent(turn, options);
    if (event.kind === 'said' && event.optionId !== 'booked') return event;
    const { scope } = turn;
    const booking = await this.#deps.calendar.findLastBooking(scope, scope.conversationId);
    return booking === null ? event : { kind: 'booked', booking };
  }

  async #selectTriggered({ turn, conversation }: TurnSituation): Promise<TurnStart | null> {
    const { bot, messages, scope } = turn;
    if (bot.activeFlowCount === 0) return null;
    const active = await this.#listTriggered(turn);
    const isFirst = messages.filter(({ role }) => role === 'user').length === 1;
    const start = isFirst && active.find(({ trigger }) => trigger?.kind === 'conversation_started');
    const openingRun = start ? await this.#findOpening(turn, start) : null;
    if (openingRun?.opening.input)
      return {
        flow: openingRun.flow,
        state: startTurn(openingRun.opening.state, getLastMessage(turn)),
        event: await this.#toSaidEvent(turn, openingRun.opening.input.options),
      };
    const startableFlows = openingRun?.opening.hasFlowEnded
      ? active.filter((each) => each !== start)
      : active;
    const situation = { message: getLastMessage(turn), pageUrl: conversation.pageUrl, isFirst };
    const chosenFlow = chooseFlow(startableFlows, situation);
    if (!chosenFlow) return null;
    if (chosenFlow === start && openingRun)
      return {
        flow: openingRun.flow,
        state: startTurn(openingRun.opening.state, getLastMessage(turn)),
        event: { kind: 'entered' },
      };
    const flow = await this.#deps.graphs.findRevision(scope, chosenFlow.id, chosenFlow.revision);
    return flow && enterFlow(flow, getLastMessage(turn));
  }

  async #findOpening(
    { scope, bot }: FlowTurn,
    { id, revision }: TriggeredFlow,
  ): Promise<{ flow: IndexedFlow; opening: Opening } | null> {
    const flow = await this.#deps.graphs.findRevision(scope, id, revision);
    const opening = flow && buildOpening(flow.graph, { bot: toBotValues(bot) });
    return opening && { flow, opening };
  }

  /** Returns the visitor's message as an event for the flow. An unknown option is treated as typed text. */
  async #toSaidEvent(turn: FlowTurn, options: readonly FlowOption[]): Promise<FlowEvent> {
    const { scope, optionId: known, replyToId } = turn;
    const text = getLastMessage(turn);
    const findOptionId = async () =>
      replyToId === null ? null : ((await this.#deps.messages.find(scope, replyToId))?.optionId ?? null);
    const picked = known === undefined ? await findOptionId() : known;
    const option = picked === null ? undefined : options.find(({ id }) => id === picked);
    return { kind: 'said', text: option?.label ?? text, optionId: option?.id };
  }

  #listTriggered({ scope, bot }: FlowTurn): Promise<TriggeredFlow[]> {
    return this.#deps.graphs.listActive(scope, bot.id);
  }
}

function enterFlow(flow: IndexedFlow, message: string): TurnStart {
  return { flow, state: startTurn(createState(flow.graphIndex), message), event: { kind: 'entered' } };
}

function getLastMessage({ messages }: FlowTurn): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
