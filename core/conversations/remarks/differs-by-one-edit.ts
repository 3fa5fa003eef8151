/**
 * Returns true if one edit turns one word into the other: inserting, deleting or replacing a letter, or
 * swapping two neighboring letters.
 */
export function differsByOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const restOfA = a.slice(start);
  const restOfB = b.slice(start);
  if (restOfA.length !== restOfB.length)
    return restOfA.length > restOfB.length ? restOfA.slice(1) === restOfB : restOfA === restOfB.slice(1);
  const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0];
  return restOfA.slice(1) === restOfB.slice(1) || (isSwapped && restOfA.slice(2) === restOfB.slice(2));
}
