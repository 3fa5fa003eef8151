import { deriveId } from '../../core/ids.ts';
import {
  deleteFileWorkflowId,
  type DeleteFileInput,
  type WorkflowCommand,
} from '../../core/workflows/commands.ts';

/**
 * Returns the command that deletes a stored file to which no database row refers.
 * @param id part of the workflow id
 */
export function deleteFileCommand(
  input: DeleteFileInput,
  summary: string,
  id = deriveId(input.storageKey),
): WorkflowCommand {
  return {
    workflow: 'deleteFile',
    action: 'start',
    workflowId: deleteFileWorkflowId(id),
    args: [input],
    summary,
  };
}
