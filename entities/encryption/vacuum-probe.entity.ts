import { Entity } from 'typeorm';
import { Id } from '../../database/columns.ts';

/**
 * Probe for old database snapshots. A row is inserted and deleted at once. VACUUM can remove the row once no
 * transaction's snapshot sees it.
 */
@Entity('vacuum_probes')
export class VacuumProbe {
  @Id('vacuum_probes') id!: string;
}
