import { ToolInvocationRepository } from '../../repositories/mcp/tool-invocation.repository.ts';
import { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { ToolLog } from './tool-log.ts';

/** Creates the log of tool calls for the MCP server. */
export function createMcp({ keyring, log, clock }: ServiceDeps, limiter: RateLimiter) {
  const [rows, keys] = [new ToolInvocationRepository(), new IssuedKeyRepository()];
  return { toolLog: new ToolLog({ limiter, rows, keys, keyring, log, clock }) };
}
