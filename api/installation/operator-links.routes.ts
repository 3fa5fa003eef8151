import { buildOperatorLinks } from '../../services/installation/operator-links.ts';
import { defineOperation } from '../http/operation.ts';
import { OperatorLinks } from './operator-links.schemas.ts';

export const getOperatorLinks = defineOperation({
  id: 'getOperatorLinks',
  method: 'GET',
  path: '/api/ext/operator-links',
  tag: 'orgs',
  auth: 'session',
  scope: null,
  role: 'owner',
  responses: { 200: OperatorLinks },
  summary: 'Links into Temporal’s web UI, if the installation sets PARLEY_TEMPORAL_UI_URL.',
  handle: async (_input, { settings }) => {
    const links = buildOperatorLinks(settings);
    return { temporal_url: links?.temporalUrl ?? null, workflow_urls: links?.workflowUrls ?? null };
  },
});
