import type { Settings } from '../../core/settings/settings.ts';
import {
  archiveWorkflowId,
  bookingWorkflowId,
  webhookDeliveryWorkflowId,
} from '../../core/workflows/commands.ts';

/** Placeholder in links for the id of a resource, such as a document. */
const ID = '{id}';

/**
 * Queries with which Temporal's web UI lists the workflows of each kind of resource. Workflows of a document
 * have its revision in their ids, so that a search attribute finds them. The attribute's name is a literal,
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

/** Links for operators to Temporal's web UI. */
export interface OperatorLinks {
  /** URL of the list of all workflows in Temporal's web UI. */
  temporalUrl: string;
  /** URLs that list the workflows of a resource, with the placeholder `{id}`. */
  workflowUrls: Record<LinkedKind, string>;
}

/** Builds the operators' links to Temporal's web UI; null if no web UI is configured. */
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
