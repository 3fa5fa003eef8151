import { plainLine, type MessageContent } from '../../adapters/messaging/message-content.ts';

/** A code that proves that whoever sets the policy reads the destination. */
export function codeContent(code: string, minutes: number): MessageContent {
  return {
    code,
    lines: [
      [{ text: 'Your code for alerts of Parley: ' }, { text: code, isBold: true }],
      plainLine(`It is good for ${minutes} minutes. If you did not ask for it, do nothing.`),
    ],
  };
}

/** What a test says. @param label of the policy */
export function testContent(label: string): MessageContent {
  const name = label === '' ? 'Parley' : label;
  return {
    lines: [
      [{ text: `Test of ${name}`, isBold: true }],
      plainLine('Alerts arrive here. Nothing has happened; somebody of your team has sent this.'),
    ],
  };
}
