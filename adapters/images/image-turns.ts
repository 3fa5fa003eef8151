import { availableParallelism } from 'node:os';
import type Sharp from 'sharp';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';
import { createRateLimitedError } from '../../core/errors/errors.ts';

/** The sender of an image, with whom other senders share the decoding fairly. */
export interface ImageSender {
  /** Id of the payer who sends the image, or the address of a visitor. */
  id: string;
  /** Signal that aborts when the sender does not wait for the image any longer. */
  signal: AbortSignal;
}

/**
 * Maximum number of images that are decoded at once, each of which takes up to 160 MB and 4 s of a thread.
 * Leaves half of the cores to the event loop and to other threads.
 */
const SLOTS = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const DECODED_IMAGES = { slots: SLOTS, maxWaiting: 24, maxWaitMs: 60_000 };
const BUSY_SECONDS = 5;

/** Queue of all images that this process decodes, since they share its memory and its threads. */
const queue = new FairQueue(DECODED_IMAGES);

/**
 * Imports the image library on demand, since this takes time and memory. An image takes one thread. No operations
 * are cached, since the cache keeps the memory of decoded images.
 */
export async function importSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Decodes an image when its sender has a turn. Senders get equal turns.
 * @throws AppError `rate_limited` if the sender gets no turn in time; the signal's reason
 */
export async function decodeInTurn<T>({ id, signal }: ImageSender, decode: () => Promise<T>): Promise<T> {
  const result = await queue.run(id, decode, signal);
  if (result === 'out_of_turn')
    throw createRateLimitedError('Too many images are being uploaded', BUSY_SECONDS);
  return result;
}
