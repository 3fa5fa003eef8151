import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { newId } from '../../../core/ids.ts';
import { flowWaitWorkflowId, type WorkflowCommand } from '../../../core/workflows/commands.ts';
import type { Done } from './flow-effects.ts';
import type { Ended } from './flow-run.ts';
import type { FlowChange, FlowTurn, KeptState } from './flow-turn.ts';

const placeOf = (conversationId: string) => `flow_sessions.state:${conversationId}`;

/** Decrypts the state of a flow between two turns. */
export function openedState(keyring: Keyring, conversationId: string, sealed: string): KeptState {
  return JSON.parse(keyring.open(sealed, placeOf(conversationId))) as KeptState;
}

interface EndedTurn {
  turn: FlowTurn;
  ended: Ended;
  isSilent: boolean;
  /** Id of the wait that this turn ends. */
  formerWaitId: string | null;
}

interface ChangeMeans {
  keyring: Keyring;
  /** Length of a minute of `timeout_minutes`; shorter in tests. */
  minuteMs: number;
}

/** Builds the changes that are stored together with the answer of a turn. */
export function flowChange(
  { turn, ended, isSilent, formerWaitId }: EndedTurn,
  { contact, handOver }: Done,
  means: ChangeMeans,
): FlowChange {
  const { orgId, botId, conversationId } = turn.scope;
  const { flow, state, status, awaiting, failure } = ended;
  const isWaiting = status === 'waiting';
  const minutes = isWaiting ? flow.walk.node(state.nodeId).data['timeout_minutes'] : undefined;
  const waitMs = typeof minutes === 'number' ? minutes * means.minuteMs : null;
  const waitId = waitMs === null ? null : newId();
  const { variables, memory, jumpsToFlows } = state;
  const storedState: KeptState = { variables, memory, jumpsToFlows };
  const wait = { orgId, botId, conversationId };
  return {
    session: {
      conversationId,
      orgId,
      flowId: flow.flowId,
      revision: flow.revision,
      status,
      nodeId: state.nodeId,
      awaiting,
      sealedState: isWaiting
        ? means.keyring.seal(JSON.stringify(storedState), placeOf(conversationId))
        : null,
      steps: state.steps,
      waitId,
      failure,
    },
    commands: [
      ...(formerWaitId === null ? [] : [answered({ ...wait, waitId: formerWaitId })]),
      ...(waitId === null || waitMs === null ? [] : [started({ ...wait, waitId, waitMs })]),
    ],
    contact,
    handOver,
    isSilent,
  };
}

interface Wait {
  orgId: string;
  botId: string;
  conversationId: string;
  waitId: string;
}

const SUMMARY = 'End the wait of a flow for its visitor';

function started(input: Wait & { waitMs: number }): WorkflowCommand {
  const workflowId = flowWaitWorkflowId(input.conversationId, input.waitId);
  return { workflow: 'flowWait', action: 'start', workflowId, args: [input], summary: SUMMARY };
}

/** Signals the wait's workflow. A workflow that has already ended is started again and ends at once. */
function answered(input: Wait): WorkflowCommand {
  return {
    workflow: 'flowWait',
    action: 'signal',
    signal: 'answered',
    signalArgs: [],
    workflowId: flowWaitWorkflowId(input.conversationId, input.waitId),
    args: [{ ...input, waitMs: 0 }],
    summary: SUMMARY,
  };
}
