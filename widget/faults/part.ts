import type { FaultsModule } from './contract.ts';
import { listPageFaults } from './page-faults.ts';
import { listThemeFaults } from './theme-faults.ts';

export { describeCall } from './call-faults.ts';

export const listFaults: FaultsModule['listFaults'] = (options, current, base) => [
  ...listPageFaults(options, current),
  ...listThemeFaults(options.theme).map((fault) => `${fault} See ${base}/docs/pages/widget#theme`),
];
