import type { Client } from '@temporalio/client';
import { call } from '../support/installation.ts';
import type { Scene } from '../webhooks/scene.ts';
import type { Workspace } from '../webhooks/workspace.ts';

/** What every dimension is measured on. */
export interface GrowthScene extends Scene {
  /** The workspace whose users wait, with one bot and one endpoint. */
  workspace: Workspace;
  /** Another one of the same kind. */
  neighbour: Workspace;
  temporal: Client;
  taskQueue: string;
}

/** Something that a user or the house does, over and over. */
export interface Probe {
  name: string;
  calls: number;
  /** Its statements are the dispatchers' and relays' as well, which otherwise only happen to come along. */
  isOfQueues?: boolean;
  /** Makes what is to be done. */
  prepare?(scene: GrowthScene): Promise<void>;
  /** Returns how many milliseconds it took. */
  run(scene: GrowthScene): Promise<number>;
}

/** One thing of which an installation comes to hold more and more. */
export interface Dimension {
  name: string;
  /** Ascending. */
  sizes: readonly number[];
  /** Adds what is missing from one size to the next; the first `from` is 0. */
  grow(scene: GrowthScene, from: number, to: number): Promise<void>;
  /** Beside what is asked of every one. */
  probes: readonly Probe[];
}

/** A probe that is one request of the workspace's key. */
export function request(
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
      return timed(() => call(as, method, path(scene, count), body?.(count)));
    },
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
