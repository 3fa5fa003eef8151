const MEGABYTE = 1024 * 1024;

/** Formats a size in bytes, never rounded up: `25 MB`, `64 KB`, `100 bytes`. */
export function formatSize(bytes: number): string {
  const [unit, name] = bytes >= MEGABYTE ? [MEGABYTE, 'MB'] : bytes >= 1024 ? [1024, 'KB'] : [1, 'bytes'];
  return `${Math.floor((10 * bytes) / unit) / 10} ${name}`;
}
