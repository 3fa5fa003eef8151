import type { Team } from './team.ts';

export interface AuditTabProps {
  team: Team;
  filters: Record<string, string>;
}
