export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

/** Shows a status as a dot and a word. The color adds no information to the word. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  );
}
