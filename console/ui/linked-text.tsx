import { SafeLink } from './safe-link.tsx';

/** An address up to its end, without what punctuates the sentence around it. */
const ADDRESS = /(?:https?:\/\/|mailto:)[^\s<>"'`]{1,2000}/gi;
const CLOSING = /[.,;:!?)\]}*_]{1,64}$/;

/** A text as it was written, in the direction of its script; addresses in it can be followed, and always show where they lead. */
export function LinkedText({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(CLOSING, '');
    parts.push(
      text.slice(end, index),
      <SafeLink key={index} href={address}>
        {address}
      </SafeLink>,
    );
    end = index + address.length;
  }
  parts.push(text.slice(end));
  return (
    <span class="text" dir="auto">
      {parts}
    </span>
  );
}
