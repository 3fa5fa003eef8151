import { Type, type Static, type TString } from '@sinclair/typebox';
import { linkedKinds, type LinkedKind } from '../../services/installation/operator-links.ts';
import { Nullable } from '../http/schemas/schemas.ts';

const WORKFLOWS = 'https://temporal.example.com/namespaces/default/workflows';

const WorkflowUrls = Type.Object(
  Object.fromEntries(
    linkedKinds.map((kind) => [
      kind,
      Type.String({
        description: `URL template for the workflows of one ${kind.replace('_', ' ')}; replace \`{id}\` with its id.`,
        examples: [`${WORKFLOWS}?query=WorkflowId%3D%22booking%2F{id}%22`],
      }),
    ]),
  ) as Record<LinkedKind, TString>,
  { description: 'URL templates by kind of resource; null if the installation has no web UI.' },
);

export const OperatorLinks = Type.Object(
  {
    temporal_url: Nullable(
      Type.String({
        description:
          'URL of the list of workflows in Temporal’s web UI; null if the installation has no web UI.',
        examples: [WORKFLOWS],
      }),
    ),
    workflow_urls: Nullable(WorkflowUrls),
  },
  { $id: 'OperatorLinks', description: 'Links into the tools of the installation’s operators.' },
);
export type OperatorLinks = Static<typeof OperatorLinks>;
