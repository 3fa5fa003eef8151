import { useRef, useState } from 'react';
import { toApiError } from '../../client/api-error.ts';
import { path } from '../../client/paths.ts';
import type { FlowTrial } from '../../client/types.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import type { FlowEditor } from '../editor/use-flow-editor.ts';
import type { FlowGraph } from '../graph/flow-draft.ts';

type TrialInput = string | { option_id: string };

/** Result that a test run uses for a step that would act outside of the flow, such as an HTTP request. */
export interface Sample {
  port: string;
  /** JSON value of the sample result; text that is not valid JSON is used as a string. */
  body: string;
}

interface TrialSetting {
  message: string;
  pageUrl: string;
  asksModel: boolean;
  /** Sample results of the test run, by id of the step. */
  samples: ReadonlyMap<string, Sample>;
}

export interface Trial {
  setting: TrialSetting;
  set(changed: Partial<TrialSetting>): void;
  result: FlowTrial | null;
  /** Whether the flow has changed since the last test run. */
  isOutdated: boolean;
  run: Action<[inputs: readonly TrialInput[]]>;
  inputs: readonly TrialInput[];
  restart(): void;
  close(): void;
  /** Positions of each step in the path of the test run, from 1, by step id. */
  visits: ReadonlyMap<string, number[]>;
  waitingAt: string | null;
}

const NONE: ReadonlyMap<string, number[]> = new Map();

/**
 * Tests the edited flow without saving it. Each message of the tester runs the flow again from the start,
 * with all inputs so far.
 */
export function useTrial(editor: FlowEditor): Trial {
  const { client } = useSession();
  const [setting, setSetting] = useState<TrialSetting>({
    message: '',
    pageUrl: '',
    asksModel: false,
    samples: new Map(),
  });
  const [inputs, setInputs] = useState<readonly TrialInput[]>([]);
  const [tried, setTried] = useState<{ graph: FlowGraph; result: FlowTrial } | null>(null);
  /**
   * Number of the current test run, incremented on each restart, so that responses to requests of earlier
   * runs are ignored.
   */
  const round = useRef(0);
  const { graph } = editor.draft;
  const run = useAction(async (nextInputs: readonly TrialInput[]) => {
    const { current: own } = round;
    try {
      const result = await client.ask<FlowTrial>(
        path`/api/flows/${editor.flow.id}/run`,
        toTrialRequest(setting, nextInputs, graph),
      );
      if (round.current !== own) return;
      setInputs(nextInputs);
      setTried({ graph, result });
    } catch (error) {
      if (round.current !== own) return;
      editor.reportProblem(toApiError(error), graph);
      throw error;
    }
  });
  const clear = (): void => {
    round.current += 1;
    setInputs([]);
    setTried(null);
  };
  const result = tried?.result ?? null;
  return {
    setting,
    set: (changed) => setSetting({ ...setting, ...changed }),
    result,
    isOutdated: tried !== null && tried.graph !== graph,
    run,
    inputs,
    restart: () => {
      if (run.isBusy) return;
      clear();
      run.run([]);
    },
    close: clear,
    visits: result === null ? NONE : mapVisits(result),
    waitingAt: result?.waiting_for?.node_id ?? null,
  };
}

function toTrialRequest(setting: TrialSetting, inputs: readonly TrialInput[], graph: FlowGraph) {
  const { message, pageUrl, asksModel, samples } = setting;
  const usedSamples = [...samples].filter(([id]) => graph.nodes.some((node) => node.id === id));
  return {
    graph,
    message,
    inputs,
    use_model: asksModel,
    ...(pageUrl.trim() !== '' && { page_url: pageUrl.trim() }),
    samples: Object.fromEntries(
      usedSamples.map(([id, { port, body }]) => [id, { port, body: parseSampleBody(body) }]),
    ),
  };
}

function parseSampleBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function mapVisits({ path: steps }: FlowTrial): Map<string, number[]> {
  const visits = new Map<string, number[]>();
  for (const [at, { node_id: id }] of steps.entries()) visits.set(id, [...(visits.get(id) ?? []), at + 1]);
  return visits;
}

/** Returns the connections between steps that the test run followed, each as `source port`. */
export function listFollowedEdges({ path: steps }: FlowTrial): Set<string> {
  return new Set(steps.flatMap(({ node_id: id, port }) => (port === null ? [] : [`${id} ${port}`])));
}
