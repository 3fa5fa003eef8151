const units = ['bytes', 'kB', 'MB', 'GB'] as const;

export function formatSize(sizeBytes: number): string {
  const step = Math.min(units.length - 1, sizeBytes === 0 ? 0 : Math.floor(Math.log10(sizeBytes) / 3));
  const size = sizeBytes / 1000 ** step;
  return `${step === 0 ? size : size.toFixed(1)} ${units[step]}`;
}
