import { describe, expect, it } from "vitest";
import { generatePassword } from "./generate-password.ts";

describe("a generated password", () => {
  it("is 32 letters and digits, another one each time", () => {
    const [one, other] = [generatePassword(), generatePassword()];
    expect(one).toMatch(/^[0-9A-Za-z]{32}$/);
    expect(other).not.toBe(one);
  });

  it("takes no byte that would make some characters likelier than others", () => {
    let next = 240;
    const password = generatePassword((bytes) => bytes.map(() => next++ % 256));
    // 240 to 247 are the last eight that count; 248 to 255 would all be among the first characters.
    expect(password.slice(0, 10)).toBe("stuvwxyz01");
  });
});
