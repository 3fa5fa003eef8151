import {
  ScheduleAlreadyRunning,
  type Client,
  type ScheduleDescription,
  type ScheduleOptions,
} from '@temporalio/client';

type State = NonNullable<ScheduleOptions['state']>;

/**
 * Makes a schedule, or brings the one there is to how it is to be.
 * @param stateOf whether one that is there goes on or is paused, which operators may have changed
 */
export async function keepSchedule(
  client: Client,
  schedule: ScheduleOptions,
  stateOf: (present: ScheduleDescription['state']) => State,
): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    await handle.update(({ state }) => ({ ...schedule, state: stateOf(state) }));
  }
}
