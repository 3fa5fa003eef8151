import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import { resealWorkflowId } from '../../core/workflows/commands.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

/**
 * Starts the conversion of a workspace's content after a change of encryption: marks the workspace and makes
 * its workflow convert all content again. The caller's transaction must have locked the workspace's
 * encryption state.
 */
export async function beginReseal(
  scope: OrgScope,
  { encryption, outbox }: { encryption: OrgEncryptionRepository; outbox: OutboxService },
): Promise<void> {
  const switchedAt = () => 'now()';
  await encryption.update(scope, { isSealing: true, switchedAt, cursor: null, resealedRows: 0 });
  await outbox.command(scope, {
    workflow: 'reseal',
    action: 'signal',
    signal: 'changed',
    signalArgs: [],
    workflowId: resealWorkflowId(scope.orgId),
    args: [{ orgId: scope.orgId }],
    summary: 'Encrypt or decrypt all content of a workspace',
  });
}

/**
 * Starts the workflow that converts a workspace's content, unless it is running. The workflow is needed even
 * without content to convert, since it also rewrites tables.
 */
export async function resumeReseal(scope: OrgScope, outbox: OutboxService): Promise<void> {
  await outbox.command(scope, {
    workflow: 'reseal',
    action: 'start',
    isRepeatable: true,
    workflowId: resealWorkflowId(scope.orgId),
    args: [{ orgId: scope.orgId }],
    summary: 'Rewrite tables, so that files contain no previous versions of rows',
  });
}
