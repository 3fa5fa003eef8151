import { AppError, type ErrorDetail } from '../../core/errors/errors.ts';
import { OperationRefused } from './operation-calls.ts';
import type { Tool } from './tool.ts';

/** Failure of an MCP tool, with a message that says why and what may help. */
export class ToolFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
  }
}

/** Converts an error to a failure for the model that called the MCP tool; null for an unexpected error. */
export function describeToolFailure(tool: Tool, error: unknown): ToolFailure | null {
  if (error instanceof ToolFailure) return error;
  if (error instanceof AppError) {
    const isWrongId = error.details.some(({ field, code }) => field.endsWith('_id') && code === 'format');
    const description = describeFaults(error.message, error.details);
    return new ToolFailure(error.code, isWrongId ? `${description} ${tool.whenMissing}` : description);
  }
  if (!(error instanceof OperationRefused)) return null;
  const { problem, retryAfter } = error;
  const { code, message } = problem.error;
  const description = describeFaults(message, problem.details);
  return new ToolFailure(code, [description, findAdvice(tool, code, retryAfter)].filter(Boolean).join(' '));
}

function describeFaults(message: string, details: readonly Pick<ErrorDetail, 'field' | 'message'>[]): string {
  if (details.length === 0) return sentence(message);
  return details.map(({ field, message: fault }) => sentence(`${field} ${fault}`)).join(' ');
}

function findAdvice({ whenMissing }: Tool, code: string, retryAfter: number | null): string {
  if (code === 'not_found') return whenMissing;
  if (retryAfter !== null) return `Try again in ${retryAfter} s.`;
  if (code === 'forbidden')
    return 'An API key with more scopes, or of another workspace, may be permitted to do this.';
  return '';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
