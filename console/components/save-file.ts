/**
 * Lets the browser save content as a file.
 * @param name name of the file
 */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  followLink(address, name);
  URL.revokeObjectURL(address);
}

/**
 * Lets the browser download the file at a URL.
 * @param address URL whose response is an attachment
 */
export function followLink(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.rel = 'noopener';
  link.click();
}
