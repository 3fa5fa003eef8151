import type { Client } from '@temporalio/client';
import { call } from '../support/installation.ts';
import type { Scene } from '../webhooks/scene.ts';
import type { Workspace } from '../webhooks/workspace.ts';

/** Resources that the measurements of every dimension share. */
export interface GrowthScene extends Scene {
  /** The measured workspace, with one bot and one webhook endpoint. */
  workspace: Workspace;
  /** Another workspace of the same kind, whose rows must not slow the measured workspace. */
  neighbor: Workspace;
  temporal: Client;
  taskQueue: string;
}

/** An operation of a user or of a scheduled workflow that is measured repeatedly. */
export interface Probe {
  name: string;
  calls: number;
  /** True to include the SQL statements of dispatchers and relays, which run during a measurement only by chance. */
  includesQueues?: boolean;
  /** Creates the data that one run of the probe needs. */
  prepare?(scene: GrowthScene): Promise<void>;
  /** Runs the measured operation and returns its duration in milliseconds. */
  run(scene: GrowthScene): Promise<number>;
}

/** A kind of row whose number grows in an installation. */
export interface Dimension {
  name: string;
  /** Numbers of rows at which the bench measures, ascending. */
  sizes: readonly number[];
  /** Adds the rows between two sizes to the database; the first `from` is 0. */
  grow(scene: GrowthScene, from: number, to: number): Promise<void>;
  /** Probes (measured operations) of this dimension, in addition to those of all dimensions. */
  probes: readonly Probe[];
}

/** Builds a probe that sends a request with the workspace's API key. */
export function createRequestProbe(
  name: string,
  path: (scene: GrowthScene, call: number) => string,
  options: { method?: 'GET' | 'POST'; body?: (call: number) => object; calls?: number } = {},
): Probe {
  const { method = 'GET', body, calls = 60 } = options;
  let count = 0;
  return {
    name,
    calls,
    run: (scene) => {
      count += 1;
      const as = { ...scene.installation, apiKey: scene.workspace.apiKey };
      return measureMs(() => call(as, method, path(scene, count), body?.(count)));
    },
  };
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
