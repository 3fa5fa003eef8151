import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { newId } from '../../../core/ids.ts';
import { flowWaitWorkflowId, type WorkflowCommand } from '../../../core/workflows/commands.ts';
import type { TurnEffects } from './flow-effects.ts';
import type { TurnEnd } from './flow-run.ts';
import type { FlowChange, FlowTurn, StoredFlowState } from './flow-turn.ts';

const buildStateContext = (conversationId: string) => `flow_sessions.state:${conversationId}`;

/** Decrypts the stored state of a flow that waits for the visitor's next message. */
export function decryptState(keyring: Keyring, conversationId: string, sealed: string): StoredFlowState {
  return JSON.parse(keyring.open(sealed, buildStateContext(conversationId))) as StoredFlowState;
}

interface EndedTurn {
  turn: FlowTurn;
  end: TurnEnd;
  isSilent: boolean;
  /** Id of the flow's wait that ends with this answer; null if the flow was not waiting. */
  previousWaitId: string | null;
}

interface FlowChangeDeps {
  keyring: Keyring;
  /** Number of milliseconds that a minute of `timeout_minutes` takes. Tests use fewer. */
  minuteMs: number;
}

/** Builds the changes that a flow makes, which are stored in the answer's transaction. */
export function buildFlowChange(
  { turn, end, isSilent, previousWaitId }: EndedTurn,
  { contact }: Pick<TurnEffects, 'contact'>,
  deps: FlowChangeDeps,
): FlowChange {
  const { orgId, botId, conversationId } = turn.scope;
  const { flow, state, status, awaiting, failure } = end;
  const isWaiting = status === 'waiting';
  const minutes = isWaiting ? flow.graphIndex.node(state.nodeId).data['timeout_minutes'] : undefined;
  const waitMs = typeof minutes === 'number' ? minutes * deps.minuteMs : null;
  const waitId = waitMs === null ? null : newId();
  const { variables, memory, jumpsToFlows } = state;
  const storedState: StoredFlowState = { variables, memory, jumpsToFlows };
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
        ? deps.keyring.seal(JSON.stringify(storedState), buildStateContext(conversationId))
        : null,
      steps: state.steps,
      waitId,
      failure,
    },
    commands: [
      ...(previousWaitId === null ? [] : [buildWaitSignal({ ...wait, waitId: previousWaitId })]),
      ...(waitId === null || waitMs === null ? [] : [buildWaitStart({ ...wait, waitId, waitMs })]),
    ],
    contact,
    isSilent,
  };
}

interface FlowWaitIds {
  orgId: string;
  botId: string;
  conversationId: string;
  waitId: string;
}

const SUMMARY = 'Continue a flow if its visitor does not answer in time';

function buildWaitStart(input: FlowWaitIds & { waitMs: number }): WorkflowCommand {
  const workflowId = flowWaitWorkflowId(input.conversationId, input.waitId);
  return { workflow: 'flowWait', action: 'start', workflowId, args: [input], summary: SUMMARY };
}

/**
 * Returns the command that signals the workflow that waits for the flow's timeout. If the workflow has
 * already ended, the signal starts a new workflow, which ends at once.
 */
function buildWaitSignal(input: FlowWaitIds): WorkflowCommand {
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
