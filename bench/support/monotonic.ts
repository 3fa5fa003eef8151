/** Returns the time in milliseconds of the machine's monotonic clock, which all its processes share. */
export function readMonotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
