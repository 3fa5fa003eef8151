import type { Settings } from '../../core/settings/settings.ts';
import {
  archiveWorkflowId,
  bookingWorkflowId,
  webhookDeliveryWorkflowId,
} from '../../core/workflows/commands.ts';

/** Placeholder for the id of a resource. */
const ID = '{id}';

/**
 * Temporal's queries for the workflows of each kind of resource. Workflows of a document have its
 * revision in their ids, so that a search attribute finds them. The attribute's name is a literal,
 * since the API loads no Temporal packages.
 */
const workflowQueries = {
  delivery: `WorkflowId="${webhookDeliveryWorkflowId(ID)}"`,
  document: `DocumentId="${ID}"`,
  booking: `WorkflowId="${bookingWorkflowId(ID)}"`,
  conversation: `ConversationId="${ID}"`,
  archive_job: `WorkflowId="${archiveWorkflowId(ID)}"`,
} as const;

export type LinkedKind = keyof typeof workflowQueries;
export const linkedKinds = Object.keys(workflowQueries) as LinkedKind[];

/** Links into Temporal's web UI. */
export interface OperatorLinks {
  /** URL of the list of workflows. */
  temporalUrl: string;
  /** URLs that list the workflows of a resource, with the placeholder `{id}`. */
  workflowUrls: Record<LinkedKind, string>;
}

/** Builds the links of operators; null if no Temporal web UI is configured. */
export function buildOperatorLinks({
  temporalUiUrl,
  temporalNamespace,
}: Pick<Settings, 'temporalUiUrl' | 'temporalNamespace'>): OperatorLinks | null {
  if (temporalUiUrl === undefined) return null;
  const temporalUrl = `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows`;
  const toUrl = (query: string) =>
    `${temporalUrl}?query=${encodeURIComponent(query).replace(encodeURIComponent(ID), ID)}`;
  return {
    temporalUrl,
    workflowUrls: Object.fromEntries(
      Object.entries(workflowQueries).map(([kind, query]) => [kind, toUrl(query)]),
    ) as Record<LinkedKind, string>,
  };
}
