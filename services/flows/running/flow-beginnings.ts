import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { FlowEvent, FlowOption } from '../../../core/flows/node-type.ts';
import { buildOpening, type Opening } from '../../../core/flows/opening.ts';
import { newState, nextTurn, type FlowState } from '../../../core/flows/step.ts';
import { chosenFlow, flowWithoutAnswer } from '../../../core/flows/triggers.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { OpenedFlowTurn } from '../../../repositories/flows/flow-session.repository.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { botValues } from '../known-values.ts';
import type { FlowGraphs, TriggeredFlow, WalkedFlow } from './flow-graphs.ts';
import type { Beginning } from './flow-run.ts';
import { openedState } from './flow-change.ts';
import type { FlowTurn } from './flow-turn.ts';

/** A turn with its conversation and the state of its flow. */
export interface Situated {
  turn: FlowTurn;
  conversation: Conversation;
  session: OpenedFlowTurn['session'];
}

export interface FlowBeginningsDeps {
  graphs: FlowGraphs;
  messages: MessageRepository;
  keyring: Keyring;
  calendar: FlowCalendar;
}

/** Decides which flow answers a turn, and from which state: the one that waits, or the one whose trigger fires. */
export class FlowBeginnings {
  readonly #deps: FlowBeginningsDeps;

  constructor(deps: FlowBeginningsDeps) {
    this.#deps = deps;
  }

  /** Returns null if no flow answers the turn. */
  async of(situated: Situated): Promise<Beginning | null> {
    const { turn, session } = situated;
    if (session?.status === 'waiting') {
      const resumed = await this.#resumed(situated, session);
      if (resumed) return resumed;
    }
    return turn.replyToId === null ? null : this.#triggered(situated);
  }

  /** Returns the flow with the trigger `no_answer`, which starts if the bot finds no answer. */
  async withoutAnswer({ turn }: Situated): Promise<Beginning | null> {
    const { scope, bot } = turn;
    const chosen = bot.activeFlowCount === 0 ? undefined : flowWithoutAnswer(await this.#active(turn));
    const flow = chosen && (await this.#deps.graphs.of(scope, chosen.id, chosen.revision));
    return flow ? entered(flow, saidLast(turn)) : null;
  }

  /** Returns null if the revision of the session was deleted. */
  async #resumed(
    { turn, conversation }: Situated,
    session: NonNullable<Situated['session']>,
  ): Promise<Beginning | null> {
    const { flowId, revision, nodeId, steps, awaiting, sealedState } = session;
    const flow = await this.#deps.graphs.of(turn.scope, flowId, revision);
    if (!flow || sealedState === null) return null;
    const stored = openedState(this.#deps.keyring, conversation.id, sealedState);
    const previous: FlowState = { ...newState(flow.walk), ...stored, nodeId, steps };
    const state = nextTurn(previous, saidLast(turn));
    if (awaiting?.kind === 'booking')
      return { flow, state, event: await this.#booked(turn, awaiting.options) };
    if (turn.replyToId === null) return { flow, state, event: { kind: 'timed_out' } };
    const isForm = awaiting?.kind === 'form';
    // Picking the option of a form counts only if the visitor has sent the form.
    const options = isForm && !conversation.isLead ? [] : (awaiting?.options ?? []);
    return { flow, state, event: await this.#said(turn, options) };
  }

  /** Returns a `booked` event if the turn has no message or picks the option `booked`, and the conversation has a booking. */
  async #booked(turn: FlowTurn, options: readonly FlowOption[]): Promise<FlowEvent> {
    const said: FlowEvent = turn.replyToId === null ? { kind: 'timed_out' } : await this.#said(turn, options);
    if (said.kind === 'said' && said.optionId !== 'booked') return said;
    const { scope } = turn;
    const booking = await this.#deps.calendar.lastBooked(scope, scope.conversationId);
    return booking === null ? said : { kind: 'booked', booking };
  }

  async #triggered({ turn, conversation }: Situated): Promise<Beginning | null> {
    const { bot, messages, scope } = turn;
    if (bot.activeFlowCount === 0) return null;
    const active = await this.#active(turn);
    const isFirst = messages.filter(({ role }) => role === 'user').length === 1;
    const start = isFirst && active.find(({ trigger }) => trigger?.kind === 'conversation_started');
    const opened = start ? await this.#opened(turn, start) : null;
    if (opened?.opening.input)
      return {
        flow: opened.flow,
        state: nextTurn(opened.opening.state, saidLast(turn)),
        event: await this.#said(turn, opened.opening.input.options),
      };
    const open = opened?.opening.isWhole ? active.filter((each) => each !== start) : active;
    const situation = { message: saidLast(turn), pageUrl: conversation.pageUrl, isFirst };
    const chosen = chosenFlow(open, situation);
    if (!chosen) return null;
    if (chosen === start && opened)
      return {
        flow: opened.flow,
        state: nextTurn(opened.opening.state, saidLast(turn)),
        event: { kind: 'entered' },
      };
    const flow = await this.#deps.graphs.of(scope, chosen.id, chosen.revision);
    return flow && entered(flow, saidLast(turn));
  }

  async #opened(
    { scope, bot }: FlowTurn,
    { id, revision }: TriggeredFlow,
  ): Promise<{ flow: WalkedFlow; opening: Opening } | null> {
    const flow = await this.#deps.graphs.of(scope, id, revision);
    const opening = flow && buildOpening(flow.graph, { bot: botValues(bot) });
    return opening && { flow, opening };
  }

  /** Returns what the visitor said; an unknown option counts as typed text. */
  async #said(turn: FlowTurn, options: readonly FlowOption[]): Promise<FlowEvent> {
    const { scope, optionId: known, replyToId } = turn;
    const text = saidLast(turn);
    const read = async () =>
      replyToId === null ? null : ((await this.#deps.messages.find(scope, replyToId))?.optionId ?? null);
    const picked = known === undefined ? await read() : known;
    const option = picked === null ? undefined : options.find(({ id }) => id === picked);
    return { kind: 'said', text: option?.label ?? text, optionId: option?.id };
  }

  #active({ scope, bot }: FlowTurn): Promise<TriggeredFlow[]> {
    return this.#deps.graphs.active(scope, bot.id);
  }
}

function entered(flow: WalkedFlow, message: string): Beginning {
  return { flow, state: nextTurn(newState(flow.walk), message), event: { kind: 'entered' } };
}

function saidLast({ messages }: FlowTurn): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
