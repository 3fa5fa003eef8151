import { TimeText } from './time-text.tsx';

const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** Text of the API, with its timestamps formatted for users. */
export function TextWithTimes({ text }: { text: string }) {
  return <>{text.split(TIME).map((part) => (TIME.test(part) ? <TimeText key={part} at={part} /> : part))}</>;
}
