import {
  ScheduleAlreadyRunning,
  type Client,
  type ScheduleDescription,
  type ScheduleOptions,
} from '@temporalio/client';

type State = NonNullable<ScheduleOptions['state']>;

/**
 * Creates a schedule in Temporal, or updates it if it exists.
 * @param chooseState function that computes the schedule's new state from the existing state, since operators
 *   may have paused the schedule
 */
export async function upsertSchedule(
  client: Client,
  schedule: ScheduleOptions,
  chooseState: (current: ScheduleDescription['state']) => State,
): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    await handle.update(({ state }) => ({ ...schedule, state: chooseState(state) }));
  }
}
