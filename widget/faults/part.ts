export { listPageFaults } from './page-faults.ts';
export { listThemeFaults } from './theme-faults.ts';
