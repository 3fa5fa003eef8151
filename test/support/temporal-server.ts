import { buildGoProgram } from './go-program.ts';

/**
 * Builds Temporal's production server in the version that docker-compose.yml runs.
 * @returns undefined without Go
 */
export function buildTemporalServer(): string | undefined {
  return buildGoProgram('temporal-server-1.29.1', 'tools/temporal', 'go.temporal.io/server/cmd/server');
}
