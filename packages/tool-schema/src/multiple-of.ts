/** Whether a number is a whole multiple of another, by their decimal digits: 19.99 is one of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shift = exponent - divisorExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** A finite number as digits times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [coefficient = "0", exponent = "0"] = Math.abs(value).toString().split("e");
  const [whole = "0", fraction = ""] = coefficient.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
