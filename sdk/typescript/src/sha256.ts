const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
/** Initial hash value of SHA-256 (FIPS 180-4, section 5.3.3). */
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
/** Round constants of SHA-256 (FIPS 180-4, section 4.2.2). */
const ROUND_CONSTANTS = Uint32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

/**
 * Computes HMAC-SHA-256 (RFC 2104) synchronously. Web Crypto, which all JavaScript runtimes have, computes it only
 * asynchronously.
 */
export function computeHmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(key.length > BLOCK_BYTES ? computeSha256(key) : key);
  const inner = computeSha256(
    padded.map((byte) => byte ^ 0x36),
    ...parts,
  );
  return computeSha256(
    padded.map((byte) => byte ^ 0x5c),
    inner,
  );
}

function computeSha256(...parts: readonly Uint8Array[]): Uint8Array {
  const message = padMessage(parts);
  const hash = Uint32Array.from(INITIAL);
  const words = new Uint32Array(BLOCK_BYTES);
  for (let offset = 0; offset < message.byteLength; offset += BLOCK_BYTES) {
    expandBlock(message, offset, words);
    addBlock(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(hash.byteLength));
  hash.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/** Pads a message for SHA-256: appends a bit 1, zeros up to a full block, and the length in bits. */
function padMessage(parts: readonly Uint8Array[]): DataView {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const blocks = Math.ceil((length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  bytes[length] = 0x80;
  const message = new DataView(bytes.buffer);
  message.setUint32(bytes.length - LENGTH_BYTES, Math.floor(length / 2 ** 29));
  message.setUint32(bytes.length - LENGTH_BYTES / 2, length << 3);
  return message;
}

/** Writes the message schedule of a block into `words` (SHA-256). */
function expandBlock(message: DataView, offset: number, words: Uint32Array): void {
  for (let index = 0; index < 16; index += 1) words[index] = message.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [words[index - 15]!, words[index - 2]!];
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16]! + small + words[index - 7]! + large;
  }
}

/** Runs the 64 rounds of SHA-256 for a block, and adds their result to the hash. */
function addBlock(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let round = 0; round < 64; round += 1) {
    const large = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + large + choice + ROUND_CONSTANTS[round]! + words[round]!) | 0;
    const small = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + small + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = hash[index]! + word));
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
