const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.14;
const VOLUME = 0.12;

let context: AudioContext | null = null;

/** Plays two short tones as a notification. Browsers play no sound until the user has used the page once. */
export function playChime(): void {
  context ??= new AudioContext();
  void context.resume();
  const start = context.currentTime;
  for (const [at, frequency] of NOTES_HZ.entries()) {
    const from = start + at * NOTE_SECONDS;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(VOLUME, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + 2 * NOTE_SECONDS);
  }
}
