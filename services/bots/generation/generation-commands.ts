import {
  generateBotWorkflowId,
  type GenerateBotInput,
  type WorkflowCommand,
} from '../../../core/workflows/commands.ts';

export function buildGenerationCommand(input: GenerateBotInput): WorkflowCommand {
  const { generationId, hasWebsite } = input;
  return {
    workflow: 'generateBot',
    action: 'start',
    workflowId: generateBotWorkflowId(generationId),
    args: [input],
    summary: `Draft a bot from a description${hasWebsite ? ' and a website' : ''}`,
  };
}
