/**
 * Merges the activities of all rooms into the one object that workers register.
 * @throws Error that names an activity which two of them have: a worker would run the last one for both
 */
export function mergeActivities(rooms: readonly object[]): object {
  const merged: Record<string, unknown> = {};
  for (const room of rooms) {
    for (const [name, activity] of Object.entries(room)) {
      if (Object.hasOwn(merged, name)) throw new Error(`Two activities are called ${name}; rename one.`);
      merged[name] = activity;
    }
  }
  return merged;
}
