import { TimeText } from './time-text.tsx';

const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** Renders a text of the API, and formats the timestamps in it for the user. */
export function TextWithTimes({ text }: { text: string }) {
  return <>{text.split(TIME).map((part) => (TIME.test(part) ? <TimeText key={part} at={part} /> : part))}</>;
}
