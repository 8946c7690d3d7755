/** A password that nobody guesses and every connection string takes as it is. */

const LETTERS_AND_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 5.95 bits each. */
const LENGTH = 32;
/** Bytes from here on would make some characters likelier than others. */
const EVEN_BELOW = 256 - (256 % LETTERS_AND_DIGITS.length);

/** @param fill puts random bytes into an array */
export function generatePassword(
  fill: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  let password = "";
  while (password.length < LENGTH) {
    for (const byte of fill(new Uint8Array(LENGTH)))
      if (byte < EVEN_BELOW && password.length < LENGTH)
        password += LETTERS_AND_DIGITS.charAt(byte % LETTERS_AND_DIGITS.length);
  }
  return password;
}
