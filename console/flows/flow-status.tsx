import { Status } from '../components/lists/status.tsx';

/** Shows whether a flow is active, so that its trigger starts it. */
export function FlowStatus({ isActive }: { isActive: boolean }) {
  return <Status tone={isActive ? 'good' : 'quiet'}>{isActive ? 'Live' : 'Inactive'}</Status>;
}
