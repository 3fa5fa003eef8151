import { ToolInvocationRepository } from '../../repositories/mcp/tool-invocation.repository.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { ToolLog } from './tool-log.service.ts';

/** The log of the MCP server. */
export function createMcp({ keyring, log, clock }: ServiceDeps) {
  return { toolLog: new ToolLog({ rows: new ToolInvocationRepository(), keyring, log, clock }) };
}
