const EVENT_STREAM = 'text/event-stream';
const CUTOFF_MS = 10_000;

/**
 * Fetches a response like `fetch`, but ends an event stream after ten seconds. Swagger UI shows only complete
 * responses, and some streams never end.
 */
export async function fetchWithCutoff(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || !type.startsWith(EVENT_STREAM)) return response;
  const { status, statusText, headers } = response;
  return new Response(await readUntilCutoff(response.body), { status, statusText, headers });
}

async function readUntilCutoff(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isCut = false;
  const timer = setTimeout(() => {
    isCut = true;
    void reader.cancel();
  }, CUTOFF_MS);
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value, { stream: true });
  clearTimeout(timer);
  return isCut ? `${text}: the stream goes on; this page has listened for ten seconds\n` : text;
}
