import { createEndpoint } from '../webhooks/workspace.ts';
import type { Dimension } from './dimension.ts';

/** Dimension “webhook endpoints of one workspace”, all of which subscribe to the same event. */
export const endpoints: Dimension = {
  name: 'endpoints that want one event',
  sizes: [1, 100, 1000],
  probes: [],
  grow: async (scene, _from, to) => {
    const { workspace } = scene;
    while (workspace.endpoints.length < to)
      workspace.endpoints.push(await createEndpoint(scene, workspace.apiKey));
  },
};
