import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import type { ToolName } from '../../core/mcp/tool-names.ts';
import type { Operation } from '../http/operation.ts';
import type { OperationCalls } from './operation-calls.ts';

/** Definition of an MCP tool. Its permissions, schemas and log entries derive from it. */
export interface Tool {
  readonly name: ToolName;
  readonly title: string;
  /** Explains the purpose of the MCP tool to models, and when to prefer it to other tools. */
  readonly description: string;
  readonly input: TSchema;
  readonly output: TSchema;
  /**
   * API operations that the tool runs. The tool is hidden from callers who may not run all these operations.
   */
  readonly operations: readonly Operation[];
  readonly isWrite: boolean;
  /** True if the tool loads web addresses that its input names. */
  readonly isOpenWorld: boolean;
  /** Advice for the model if an object that the tool's input names does not exist. */
  readonly whenMissing: string;
  /**
   * @param args input of the tool that has passed validation
   * @throws OperationRefused
   */
  readonly run: (args: unknown, calls: OperationCalls) => Promise<Record<string, unknown>>;
}

interface ToolSpec<I extends TProperties, O extends TProperties> {
  name: ToolName;
  title: string;
  description: string;
  input: I;
  output: O;
  operations: readonly Operation[];
  isWrite?: boolean;
  isOpenWorld?: boolean;
  whenMissing?: string;
  run(input: Static<TObject<I>>, calls: OperationCalls): Promise<Static<TObject<O>> & FittedResult>;
}

const shared = {
  next_cursor: Type.Optional(
    Type.String({
      description: 'Cursor of the next part; pass it as cursor or after. Absent if nothing follows.',
    }),
  ),
  truncated: Type.Boolean({ description: 'Whether texts were truncated; Parley stores the full texts.' }),
};

interface FittedResult {
  next_cursor?: string;
  truncated: boolean;
}

export function defineTool<I extends TProperties, O extends TProperties>({
  input,
  output,
  isWrite = false,
  isOpenWorld = false,
  whenMissing = 'Use list_bots to see the existing ids.',
  run,
  ...descriptor
}: ToolSpec<I, O>): Tool {
  return {
    ...descriptor,
    isWrite,
    isOpenWorld,
    whenMissing,
    input: Type.Object(input, { additionalProperties: false }),
    output: Type.Object({ ...output, ...shared }, { additionalProperties: false }),
    run: (input, calls) => run(input as Static<TObject<I>>, calls),
  };
}
