import {
  ScheduleAlreadyRunning,
  type Client,
  type ScheduleDescription,
  type ScheduleOptions,
} from '@temporalio/client';

type State = NonNullable<ScheduleOptions['state']>;

/**
 * Creates a schedule or updates the existing one.
 * @param chooseState returns the new state of an existing schedule, which operators may have paused
 */
export async function upsertSchedule(
  client: Client,
  schedule: ScheduleOptions,
  chooseState: (present: ScheduleDescription['state']) => State,
): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    await handle.update(({ state }) => ({ ...schedule, state: chooseState(state) }));
  }
}
