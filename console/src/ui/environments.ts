/** What a service is for, as its record has it. */
import type { Environment } from "../../../src/contract/service.ts";

export type { Environment };

export const ENVIRONMENTS = [
  { value: "DEV", label: "Development" },
  { value: "PROD", label: "Production" },
] as const satisfies readonly { readonly value: Environment; readonly label: string }[];

export function isEnvironment(word: string): word is Environment {
  return ENVIRONMENTS.some(({ value }) => value === word);
}
