/** Formats a duration as `12 s`, `3 min 05 s`, `2 h 10 min` or `3 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes === 0) return `${whole} s`;
  if (hours === 0) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  if (days === 0) return `${hours} h ${minutes % 60} min`;
  return `${days} d ${hours % 24} h`;
}
