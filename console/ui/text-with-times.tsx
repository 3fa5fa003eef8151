import { TimeText } from './time-text.tsx';

const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of the API in which times are told as people read them. */
export function TextWithTimes({ text }: { text: string }) {
  return <>{text.split(TIME).map((part) => (TIME.test(part) ? <TimeText key={part} at={part} /> : part))}</>;
}
