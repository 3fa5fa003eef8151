import type { ReactNode } from 'react';
import type { OperatorLinks } from '../client/types.ts';
import { SafeLink } from '../components/text/safe-link.tsx';
import { useApi } from '../state/use-api.ts';
import { useIsOwner } from './use-is-owner.ts';

type LinkedKind = keyof NonNullable<OperatorLinks['workflow_urls']>;

/**
 * Returns a link to the workflows of an object in Temporal's web UI; null for users who may not see
 * workflows, and for an installation without a web UI.
 */
export function useWorkflowLink(kind: LinkedKind, id: string): ReactNode {
  const { data } = useApi<OperatorLinks>(useIsOwner() ? '/api/ext/operator-links' : null, {
    staleMs: Number.POSITIVE_INFINITY,
  });
  const template = data?.workflow_urls?.[kind];
  return template === undefined ? null : (
    <SafeLink href={template.replace('{id}', id)}>View in Temporal</SafeLink>
  );
}
