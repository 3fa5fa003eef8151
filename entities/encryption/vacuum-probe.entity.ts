import { Entity } from 'typeorm';
import { Id } from '../../database/columns.ts';

/**
 * Its rows are deleted as soon as they are inserted. VACUUM can empty the table once no snapshot sees them any more.
 */
@Entity('vacuum_probes')
export class VacuumProbe {
  @Id('vacuum_probes') id!: string;
}
