// Proves that the page knows its token or key without sending it: others in the network may read along, and on plain HTTP a browser has no
// crypto.subtle.

const text = (value) => new TextEncoder().encode(value);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The first 32 bits of the fractional parts of the square or cube roots of the first primes. */
function fractions(count, power) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) isPrime &&= number % divisor !== 0;
    // In whole numbers, since a root in floating point is not exact enough: the largest one whose power is at most number * 2 ** (32 * power).
    if (isPrime) found.push(Number(root(BigInt(number) << BigInt(32 * power), power) & 0xffffffffn));
  }
  return found;
}

function root(value, power) {
  let low = 0n, high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= value) low = middle;
    else high = middle;
  }
  return low;
}

const START = fractions(8, 2), CONSTANTS = fractions(64, 3);

/** SHA-256 (FIPS 180-4) of bytes. */
function digest(message) {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length), view = new DataView(bytes.buffer);
  bytes.set(message);
  bytes[message.length] = 0x80;
  view.setUint32(length - 4, message.length * 8);
  const state = Uint32Array.from(START), words = new Uint32Array(64);
  const turned = (word, count) => (word >>> count) | (word << (32 - count));
  for (let start = 0; start < length; start += 64) {
    for (let index = 0; index < 64; index++) {
      if (index < 16) {
        words[index] = view.getUint32(start + index * 4);
        continue;
      }
      const early = words[index - 15], late = words[index - 2];
      words[index] = words[index - 16] + words[index - 7] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3))
        + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[index] + words[index]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] += word; });
  }
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => result.setUint32(index * 4, word));
  return new Uint8Array(result.buffer);
}

/** HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes. */
function authentication(message, key) {
  const block = new Uint8Array(64);
  block.set(text(key));
  const inner = digest(Uint8Array.from([...block.map((byte) => byte ^ 0x36), ...text(message)]));
  return hex(digest(Uint8Array.from([...block.map((byte) => byte ^ 0x5c), ...inner])));
}

/** The form in which the computer keeps a token or key. */
export const hashOf = (secret) => hex(digest(text(secret)));

/** What shows that the token or key with that hash is known. */
export const proofOf = (hash, challenge) => authentication(`proof ${challenge}`, hash);

/** The key that a device gets for a token. The computer derives the same one. */
export const keyFrom = (hash, challenge) => authentication(`key ${challenge}`, hash);
