/** The nth number of the row that belongs to a seed, in [0, 1); the same on every machine. */
export function chance(seed: number, nth: number): number {
  let bits = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(nth + 1, 0x85ebca6b)) | 0;
  for (const factor of [0x21f0aaad, 0x735a2d97]) {
    bits ^= bits >>> 16;
    bits = Math.imul(bits, factor);
  }
  bits ^= bits >>> 15;
  return (bits >>> 0) / 2 ** 32;
}
