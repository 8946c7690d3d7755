/** Changes of parameters that were gathered and not sent yet. Pure. */
import type { ChangeParametersBody } from "../../../../../../src/contract/parameters.ts";
import { type ParameterRecord, refusalOf } from "./value.ts";

/** By name, as they were written; null takes the choice back, so that the size's own value returns. */
export type Draft = Readonly<Record<string, string | null>>;

export interface DraftChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly cleared: boolean;
  readonly restart: boolean;
}

export type Filter = "all" | "chosen" | "changed";

/** The draft with one more change; without it where the parameter is so already. */
export function withChange(draft: Draft, parameter: ParameterRecord, value: string | null): Draft {
  const { [parameter.name]: _, ...others } = draft;
  const { wanted_value, source } = parameter;
  // Letter by letter: "0." is on its way to "0.5", though it means 0.
  const nothing = value === null ? source !== "custom" : value === wanted_value;
  return nothing ? others : { ...others, [parameter.name]: value };
}

/** What a parameter would be. */
export function draftedValue(draft: Draft, { name, wanted_value, size_value }: ParameterRecord): string {
  const drafted = draft[name];
  if (drafted === undefined) return wanted_value;
  return drafted ?? size_value;
}

export function changesOf(draft: Draft, parameters: readonly ParameterRecord[]): readonly DraftChange[] {
  return parameters
    .filter(({ name }) => name in draft)
    .map((parameter) => ({
      name: parameter.name,
      from: parameter.wanted_value,
      to: draftedValue(draft, parameter),
      cleared: draft[parameter.name] === null,
      restart: parameter.restart_required,
    }));
}

export function bodyOf(draft: Draft): ChangeParametersBody {
  return { parameters: draft };
}

/** The names of those that the API would refuse. */
export function refusedOf(draft: Draft, parameters: readonly ParameterRecord[]): readonly string[] {
  return parameters
    .filter((parameter) => {
      const value = draft[parameter.name];
      return typeof value === "string" && refusalOf(parameter, value) !== null;
    })
    .map(({ name }) => name);
}

export function isShown(parameter: ParameterRecord, draft: Draft, filter: Filter, search: string): boolean {
  if (filter === "chosen" && parameter.source !== "custom") return false;
  if (filter === "changed" && !(parameter.name in draft)) return false;
  const text = `${parameter.name} ${parameter.description}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
